import { requireOptions } from '../data/arguments.ts';
import { quoteIdentifier, quotePath, type SqlDialect, sqlDialects } from '../engines/sql/dialect.ts';
import { refuse, show } from '../errors.ts';
import { lowerScore } from './lower/scores.ts';
import type { Plan } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { SqlAlgebra } from './sql/algebra.ts';
import { Columns } from './sql/columns.ts';
import { outputNames, type SqlColumns } from './sql/names.ts';
import { queryText } from './sql/query.ts';
import { Sheet } from './sql/sheet.ts';
import { SqlVectors } from './sql/sources.ts';
import { TextParts } from './sql/text.ts';
import { tableStatements, type WeightTable, weightTable } from './sql/weights.ts';

/** How a model becomes SQL. */
export interface SqlOptions {
  readonly dialect: SqlDialect;
  /** The table or view whose rows are scored; several parts are catalog, schema and table. */
  readonly table: string | readonly string[];
  /**
   * Columns that tell rows apart: they are carried through. Texts need them, and so do k-dependence classifiers for rows in which a parent is
   * missing. No key is NULL, and no two rows share one.
   */
  readonly key?: string | readonly string[];
  /** What the columns of the model are called in the table, in the order of the model. Their own names unless told; without names x0, x1 …, and `text`. */
  readonly columns?: readonly string[];
  /** What the table of weights of a text model is called. */
  readonly weights?: string | readonly string[];
  /** What the view is called that `view` creates. */
  readonly view?: string | readonly string[];
  /** Also a column with the log-odds of each class. */
  readonly logOdds?: boolean;
  /**
   * What becomes of the tokenizer 'auto', which cuts Chinese, Japanese, Thai, Lao, Khmer and Burmese by dictionaries that no engine
   * has: the model is refused (unless told), or rows whose text holds such letters get NULL for an answer.
   */
  readonly unspaced?: 'refuse' | 'null';
  /** What stands before the names of the columns that come out. */
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
  /** The names of the columns that come out. */
  readonly columns: SqlColumns;
  /** The table of weights as data, for engines that load files faster than statements. */
  readonly weights: WeightTable | undefined;
}

/**
 * A fitted model as a query that scores rows where they lie: key, label and the probability of every class. Posteriors are within
 * 1e-9 of the library. A row that the library would refuse gets NULL for an answer. What SQL cannot carry faithfully is refused
 * with E_ENGINE_CAPABILITY before anything is written, and names that an engine cannot have with E_IDENTIFIER.
 */
export function toSql(model: Exportable | Plan, options: SqlOptions): SqlExport {
  requireOptions('toSql', sqlOptions, options);
  const { dialect } = options;
  if (!sqlDialects.includes(dialect)) {
    refuse('E_PARAM', `the dialect is one of ${sqlDialects.join(', ')}, got ${show(dialect)}`, { name: 'dialect' });
  }
  const plan = typeof model === 'object' && model !== null && 'format' in model ? model : planOf(model);
  const keys = typeof options.key === 'string' ? [options.key] : (options.key ?? []);
  const names = outputNames(plan.classes, options.prefix ?? '', options.logOdds ?? false, keys);
  const weights = options.weights ?? 'polya_weights';
  const sheet = new Sheet(dialect);
  const columns = new Columns(dialect, plan, options.columns);
  const short = keys.map((_, k) => quoteIdentifier(dialect, `k${k}`));
  const texts = new TextParts(sheet, short, quotePath(dialect, weights), options.unspaced ?? 'refuse');
  const algebra = new SqlAlgebra(sheet, short);
  const logs = lowerScore(algebra, plan.score, new SqlVectors(algebra, sheet, plan, columns, texts));
  if (texts.sums.length > 0 && keys.length === 0) {
    refuse('E_PARAM', 'a model of texts needs a key: the name of a column that tells the rows of the table apart', {
      name: 'key',
    });
  }
  const select = queryText({ algebra, sheet, columns, texts, table: options.table }, plan.classes, logs, names);
  const table = texts.sums.length > 0 ? weightTable(weights, texts.rows) : undefined;
  const view = `CREATE OR REPLACE VIEW ${quotePath(dialect, options.view ?? 'polya_scores')} AS\n${select}`;
  return { dialect, setup: table ? tableStatements(dialect, table) : [], select, view, columns: names, weights: table };
}
