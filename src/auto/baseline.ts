import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { type ColumnRoute, type ColumnStep, ColumnTransformer } from '../estimators/column-transformer.ts';
import { LogisticRegression } from '../estimators/logistic-regression.ts';
import { OneHotEncoder } from '../estimators/one-hot-encoder.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { SimpleImputer } from '../estimators/preprocessing.ts';
import { StandardScaler } from '../estimators/standard-scaler.ts';
import { TfidfVectorizer, type TfidfVectorizerOptions } from '../estimators/tfidf-vectorizer.ts';
import { type ClassifierOptions, classWeightOf } from './classifier-options.ts';
import { textsOf } from './learner-columns.ts';
import { columnFeatures, readColumn, type SchemaColumn, schemaFor, weightsOf } from './schema.ts';

/** A discriminative model of a table, to compare the families with. */
export interface Baseline {
  readonly classes: Label[];
  predictLogProba(table: ColumnTable): Matrix;
}

/**
 * Fits logistic regression to the rows of a table. Texts become tf-idf weights and categories one column per level; numbers are
 * standardised, with the mean in place of missing cells. Options that only other models have are ignored.
 */
export function fitLogistic(table: ColumnTable, labels: readonly Label[], options: ClassifierOptions): Baseline {
  const schema = schemaFor(table, options, false);
  const columns = schema.columns.filter(({ role }) => role === 'feature');
  if (columns.length === 0) refuse('E_PARAM', 'there is no column to classify by', { name: 'features' });
  const transformer = new ColumnTransformer(routesOf(columns, options));
  const sampleWeight = weightsOf(table, options.weight);
  const X = transformer.fitTransform(cellsOf(table, columns));
  const model = new LogisticRegression(classWeightOf(options)).fit(X, labels, sampleWeight && { sampleWeight });
  return {
    classes: model.classes,
    predictLogProba: (rows) => model.predictLogProba(transformer.transform(cellsOf(rows, columns))),
  };
}

/** A step for every feature; features are named by their place, because parts of dates could have the name of a column. */
function routesOf(columns: readonly SchemaColumn[], options: ClassifierOptions): ColumnRoute[] {
  const { ngrams, analyzer, stopWords, minDf, maxDf, maxFeatures } = options;
  const given = Object.entries({ ngramRange: ngrams, analyzer, stopWords, minDf, maxDf, maxFeatures });
  const words = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as TfidfVectorizerOptions;
  return featuresIn(columns).map(({ kind, levels }, k): ColumnRoute => {
    const name = `f${k}`;
    if (kind === 'text') return [name, new TfidfVectorizer(words), name];
    if (levels) return [name, new OneHotEncoder({ handleUnknown: 'ignore' }), [name]];
    const scaled = makePipeline(new SimpleImputer({ keepEmptyFeatures: true }), new StandardScaler());
    return [name, scaled as ColumnStep, [name]]; // a pipeline may have no names, a step always has
  });
}

const featuresIn = (columns: readonly SchemaColumn[]) =>
  columns.flatMap((column) => columnFeatures(column).map(({ levels }) => ({ kind: column.kind, levels })));

/** The cells of all features, by the names of `routesOf`. */
function cellsOf(table: ColumnTable, columns: readonly SchemaColumn[]): Record<string, ArrayLike<unknown>> {
  const features = columns.flatMap((column): ArrayLike<unknown>[] =>
    column.kind === 'text' ? [textsOf(table, column.name)] : readColumn(table, column),
  );
  return Object.fromEntries(features.map((cells, k) => [`f${k}`, cells]));
}
