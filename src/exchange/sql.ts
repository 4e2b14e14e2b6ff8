import { requireOptions } from '../data/arguments.ts';
import { quoteIdentifier, quotePath, type SqlDialect, sqlDialects } from '../engines/sql/dialect.ts';
import { refuse, show } from '../errors.ts';
import { lowerScore } from './lower/scores.ts';
import { columnNames } from './names.ts';
import type { Plan } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { outputNames, type SqlColumns } from './sql/names.ts';
import { type QueryText, queryText, wholeText } from './sql/query.ts';
import { QueryBuilder } from './sql/query-builder.ts';
import { SqlVectors } from './sql/sources.ts';
import { TextParts } from './sql/text.ts';
import { tableStatements, type WeightTable, weightTable } from './sql/weights.ts';
import { sqlAlgebra } from './sql/writer.ts';

/** Options of `toSql`. */
export interface SqlOptions {
  /** The SQL dialect. Required. */
  readonly dialect: SqlDialect;
  /** The table or view whose rows are scored; several parts are catalog, schema and table. */
  readonly table: string | readonly string[];
  /**
   * Columns that identify a row; the result has them too. Required for texts, and for k-dependence classifiers if a parent may be missing.
   * Keys must be unique and not NULL.
   */
  readonly key?: string | readonly string[];
  /** Names of the model's columns in the table, in the order of the model; by default their own names, or x0, x1 …, and `text`. */
  readonly columns?: readonly string[];
  /** The name of the table of weights of a text model. Default: 'polya_weights'. */
  readonly weights?: string | readonly string[];
  /** The name of the view that `view` creates. Default: 'polya_scores'. */
  readonly view?: string | readonly string[];
  /** Add a column with the log-odds of each class. Default: false. */
  readonly logOdds?: boolean;
  /**
   * What to do about the tokenizer 'auto', which splits Chinese, Japanese, Thai, Lao, Khmer and Burmese by dictionaries that no engine
   * has: refuse the model (default), or answer NULL for texts with such letters.
   */
  readonly unspaced?: 'refuse' | 'null';
  /** A prefix for the names of the result's columns. Default: none. */
  readonly prefix?: string;
}

const sqlOptions = ['dialect', 'table', 'key', 'columns', 'weights', 'view', 'logOdds', 'unspaced', 'prefix'];

/** A model as SQL. */
export interface SqlExport {
  readonly dialect: SqlDialect;
  /** Statements to run once: they make the table of weights. None for models of columns. */
  readonly setup: readonly string[];
  /** One query that scores every row. */
  readonly select: string;
  /** The statement that makes a view of the query. */
  readonly view: string;
  /** The names of the result's columns. */
  readonly columns: SqlColumns;
  /** The table of weights as data, for engines that load files faster than statements. */
  readonly weights: WeightTable | undefined;
}

/**
 * A fitted model as a query that scores rows inside the database: key, label and the probability of every class, within 1e-9 of the
 * library. A row that the library would refuse gets NULL. What SQL cannot compute in the same way is refused with E_ENGINE_CAPABILITY before
 * anything is written, and names that an engine cannot have with E_IDENTIFIER.
 */
export function toSql(model: Exportable | Plan, options: SqlOptions): SqlExport {
  const { query, weights, ...rest } = sqlParts(model, options);
  const { dialect } = options;
  const select = wholeText(query);
  const view = `CREATE OR REPLACE VIEW ${quotePath(dialect, options.view ?? 'polya_scores')} AS\n${select}`;
  return { dialect, setup: weights ? tableStatements(dialect, weights) : [], select, view, weights, ...rest };
}

/** The same in parts, for a program that runs them. */
export function sqlParts(
  model: Exportable | Plan,
  options: SqlOptions,
): Pick<SqlExport, 'weights' | 'columns'> & { readonly query: QueryText } {
  requireOptions('toSql', sqlOptions, options);
  const { dialect } = options;
  if (!sqlDialects.includes(dialect)) {
    refuse('E_PARAM', `the dialect is one of ${sqlDialects.join(', ')}, got ${show(dialect)}`, { name: 'dialect' });
  }
  const plan = typeof model === 'object' && model !== null && 'format' in model ? model : planOf(model);
  const keys = typeof options.key === 'string' ? [options.key] : (options.key ?? []);
  const names = outputNames(plan.classes, options.prefix ?? '', options.logOdds ?? false, keys);
  const weights = options.weights ?? 'polya_weights';
  const builder = new QueryBuilder(dialect);
  const columns = columnNames(plan, options.columns);
  const short = keys.map((_, k) => quoteIdentifier(dialect, `k${k}`));
  const texts = new TextParts(builder, short, quotePath(dialect, weights), options.unspaced ?? 'refuse');
  const algebra = sqlAlgebra(builder, short);
  const logs = lowerScore(algebra, plan.score, new SqlVectors(algebra, builder, plan, texts));
  if (texts.sums.length > 0 && keys.length === 0) {
    refuse('E_PARAM', 'a model of texts needs a key: the name of a column that identifies the rows of the table', {
      name: 'key',
    });
  }
  const query = queryText({ algebra, builder, columns, texts, table: options.table }, plan.classes, logs, names);
  return { query, columns: names, weights: texts.sums.length > 0 ? weightTable(weights, texts.rows) : undefined };
}
