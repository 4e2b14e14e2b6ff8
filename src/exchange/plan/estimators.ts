import type { Dictionary } from '../../data/levels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import type { Planes } from '../../models/linear-discriminant.ts';
import type { PlanScore } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { jointOf, planes } from './families.ts';
import { cannotCarry, type Inside } from './inside.ts';
import { mixedCells, mixedJoint } from './mixed.ts';
import { levelsFrom, levelsOf, numbersFrom, type Source, unknownLevel, withNames } from './sources.ts';

const LEVEL_FAMILIES = new Set(['categorical', 'tree', 'aode', 'kdb']);

/** Whether the columns of an estimator are levels. */
export const takesLevels = ({ model }: Inside): boolean => LEVEL_FAMILIES.has(model.name);

/** ln p(c) + ln p(x | c) of an estimator over a source. */
export function estimatorJoint(builder: PlanBuilder, estimator: Inside, source: Source): PlanScore {
  const family = estimator.model.name;
  if (family === 'mixed') return mixedJoint(estimator, mixedCells(builder, estimator, source));
  if (family === 'robinson-fisher') {
    cannotCarry(
      'a RobinsonFisherFilter',
      "Fisher's method needs the χ² distribution and a choice of tokens row by row",
    );
  }
  const { missing = false } = estimator.expectation;
  return jointOf(family, estimator.parameters(), cellsOf(builder, estimator, source), missing);
}

/** The cells that the model of an estimator scores. */
function cellsOf(builder: PlanBuilder, estimator: Inside, source: Source): number {
  const { names, counts } = estimator.learned;
  const { features } = counts.shape;
  const own = withNames(source, names);
  if (takesLevels(estimator)) return levelCells(builder, estimator, own);
  const { binarize, weighting } = estimator.params;
  const from = numbersFrom(builder, own, features, estimator.expectation, binarize === null);
  if (estimator.model.name === 'bernoulli') {
    const threshold = typeof binarize === 'number' ? binarize : 0;
    return builder.vector({ op: 'above', from, threshold });
  }
  if (weighting !== 'presence') return from;
  return builder.presence(from);
}

/** Words and whole numbers as the places of levels; numbers of a previous step are levels already. */
function levelCells(builder: PlanBuilder, estimator: Inside, source: Source): number {
  const { counts, schema } = estimator.learned;
  const { unknown, missing } = estimator.params as { unknown: string; missing: string };
  const levels = counts.shape.levels ?? new Int32Array(counts.shape.features);
  const absent = missing === 'ignore' ? 'missing' : 'refuse';
  if ('vector' in source) {
    const beyond = unknownLevel(unknown, -1);
    const last = typeof beyond === 'number' ? 'last' : beyond;
    const { vector: from } = source;
    return builder.vector({ op: 'limit', from, levels, unknown: last, missing: absent });
  }
  const dictionaries = dictionariesOf(schema);
  return levelsFrom(
    builder,
    source,
    dictionaries.map((dictionary, j) => levelsOf(dictionary, levels[j], unknown, absent)),
  );
}

/** The dictionaries of the columns of an estimator of levels: its whole schema, or its entry `levels`. */
export function dictionariesOf(schema: JsonValue | undefined): readonly Dictionary[] {
  const own = Array.isArray(schema) ? schema : (schema as { levels: JsonValue }).levels;
  return own as unknown as readonly Dictionary[];
}

/** ln p(c | x) of an estimator over a source. */
export function estimatorPosterior(builder: PlanBuilder, estimator: Inside, source: Source): PlanScore {
  return posteriorOf(estimator, estimatorJoint(builder, estimator, source));
}

/** ln p(c | x) of an estimator whose scores these are. */
export function posteriorOf(estimator: Inside, joint: PlanScore): PlanScore {
  const params = estimator.parameters();
  const prior = priorOf(estimator);
  const impossible = estimator.params.zeroEvidence === 'error' ? 'refuse' : 'prior';
  const { missing = false } = estimator.expectation;
  const linear = estimator.model.name === 'linear-discriminant';
  const of = linear ? linearFirst(params as unknown as Planes, joint, missing) : joint;
  return { op: 'posterior', of, prior, impossible, sum: 'together' };
}

/** Linear discriminants as planes, which lose fewer digits far from the data, unless they overflow. */
export function linearFirst(params: Planes, joint: PlanScore, missing: boolean): PlanScore {
  const vector = joint.op === 'sum' ? joint.terms[0].vector : 0;
  const needed = Uint8Array.from(params.logPrior, (prior) => (prior > -Infinity ? 1 : 0));
  return { op: 'either', first: planes(params, vector, missing), second: joint, needed };
}

/** ln p(c), the score of a row that is impossible under every class. */
export function priorOf(estimator: Inside): Float64Array {
  const model = estimator.model as unknown as { logPrior(params: unknown): Float64Array };
  return model.logPrior(estimator.parameters());
}
