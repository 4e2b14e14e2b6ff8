/**
 * The entry point `polya/engines`: counts and scores rows inside databases. Needs Node and the client package of the engine.
 * @module polya/engines
 */
export type {
  ColumnBatch,
  ColumnKind,
  EngineColumn,
  LoadedRow,
  LoadedType,
  QueryOptions,
  ResultColumn,
  SqlEngine,
} from './engines/engine.ts';
export type { DialectName, SqlDialect } from './engines/sql/dialect.ts';
export { classifierFromEngine, type EngineClassifierOptions } from './warehouse/classifier.ts';
export { type Countable, fitFromEngine } from './warehouse/fit.ts';
export { type EngineSource, type OpenOptions, openEngine } from './warehouse/open.ts';
export { partitionFolder } from './warehouse/partition-folder.ts';
export {
  classifierFromPartitions,
  type PartitionedFit,
  type PartitionedSource,
  type PartitionStore,
  type StoredPartition,
} from './warehouse/partitions.ts';
export { type Scored, type ScoreOptions, scoreInEngine } from './warehouse/score.ts';
export type { TableFunction, TableName } from './warehouse/source.ts';
