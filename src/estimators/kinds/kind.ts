import type { Model } from '../../core/model.ts';
import type { OptionSpec, OptionValues } from '../../core/options.ts';
import type { Shape } from '../../data/batch.ts';
import type { Expectation } from '../../data/input.ts';
import type { JsonValue } from '../../data/strict-json.ts';

/** What rows may hold, apart from what the options say. */
export type Accepts = Pick<Expectation, 'sparse' | 'nonNegative' | 'missing' | 'limit'>;

/**
 * A counting classifier as data: its options, and the model that they ask for. That is all that is needed to estimate the parameters of a
 * saved model; reading rows and learning from them is what its class adds.
 */
export interface Kind<Spec extends OptionSpec, S extends Shape, P extends Shape, O> {
  /** The name of the class, as in model files. */
  readonly name: string;
  readonly spec: Spec;
  /** Which statistic, how to estimate, how to score. */
  model(params: OptionValues<Spec>): Model<S, P, O>;
  accepts(params: OptionValues<Spec>): Accepts;
  /** The options of the model for this shape and schema; throws if parameters do not fit. */
  modelOptions(params: OptionValues<Spec>, shape: Shape, schema: JsonValue | undefined): O;
  /** Whether class weights were applied while rows were learned, so that they must not be applied to the counts. */
  readonly weighsRows?: boolean;
  /** The least and the largest cell of columns of a family, for a kind whose columns have different families. */
  cellRange?(family: string): readonly [least: number, most: number];
}
