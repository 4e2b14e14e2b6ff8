/**
 * The entry point `polya/exchange`: exports fitted models as JSON, JavaScript, SQL, ONNX and PMML, and exchanges them with scikit-learn.
 * @module polya/exchange
 */
export type { DialectName, SqlDialect } from './engines/sql/dialect.ts';
export { type DbtFiles, type DbtOptions, toDbt } from './exchange/dbt.ts';
export type * from './exchange/plan.ts';
export { fromJson, type ModelJson, modelSchema } from './exchange/plan-json.ts';
export { type Exportable, planOf } from './exchange/plan-of.ts';
export { type PmmlOptions, toPmml } from './exchange/pmml.ts';
export { runPlan } from './exchange/run-plan.ts';
export { fromSklearn } from './exchange/sklearn.ts';
export type { SqlColumns } from './exchange/sql/names.ts';
export type { WeightTable } from './exchange/sql/weights.ts';
export { type SqlExport, type SqlOptions, toSql } from './exchange/sql.ts';
export { type JavaScriptModule, toJavaScript } from './exchange/to-javascript.ts';
export { toJson } from './exchange/to-json.ts';
export { type OnnxOptions, toOnnx } from './exchange/to-onnx.ts';
export { type SklearnJson, toSklearn } from './exchange/to-sklearn.ts';
