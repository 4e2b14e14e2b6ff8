import { requireOptions } from '../data/arguments.ts';
import { quotePath } from '../engines/sql/dialect.ts';
import { refuse, show } from '../errors.ts';
import type { Plan } from './plan.ts';
import type { Exportable } from './plan-of.ts';
import { columnType, type WeightTable } from './sql/weights.ts';
import { type SqlExport, type SqlOptions, toSql } from './sql.ts';

/** Options of `toDbt`. */
export interface DbtOptions extends Omit<SqlOptions, 'table' | 'weights' | 'view'> {
  /** The name of the dbt model, which is that of its file. */
  readonly name: string;
  /** The dbt model or seed whose rows are scored. */
  readonly ref: string;
}

/** The files of a dbt model. */
export interface DbtFiles {
  /** `models/<name>.sql` */
  readonly model: string;
  /** `models/<name>.yml`: what the columns are. */
  readonly schema: string;
  /** `seeds/<name>_weights.csv`, for models of texts. */
  readonly seed: string | undefined;
}

const NAME = /^[A-Za-z_]\w*$/;

const optionNames = ['dialect', 'key', 'columns', 'logOdds', 'unspaced', 'prefix', 'name', 'ref'];

/** A fitted model as a dbt model: the query of `toSql` over a `ref` of dbt, its schema, and the weights of texts as a seed. */
export function toDbt(model: Exportable | Plan, options: DbtOptions): DbtFiles {
  const { name, ref, ...rest } = requireOptions('toDbt', optionNames, options);
  for (const own of [name, ref]) {
    if (!NAME.test(own))
      refuse('E_IDENTIFIER', `dbt takes letters, digits and underscores, got ${show(own)}`, { name: own });
  }
  const [table, weights] = ['polya_dbt_rows', 'polya_dbt_weights'];
  const written = toSql(model, { ...rest, table, weights });
  const jinja: readonly (readonly [string, string])[] = [
    [table, ref],
    [weights, `${name}_weights`],
  ];
  const body = jinja.reduce(
    (text, [own, named]) => text.replaceAll(quotePath(rest.dialect, own), `{{ ref('${named}') }}`),
    raw(written.select),
  );
  return {
    model: `{{ config(materialized='view') }}\n\n${body}\n`,
    schema: schemaOf(name, written),
    seed: written.weights && csvOf(written.weights),
  };
}

/** The query with dbt's delimiters (`{{`, `{%`, `{#`) escaped. */
const raw = (sql: string): string => sql.replaceAll(/\{([{%#])/g, "{{ '{' }}$1");

const quoted = (text: string) => JSON.stringify(text);

function schemaOf(name: string, { columns, weights, dialect }: SqlExport): string {
  const described: [string, string][] = [
    ...columns.key.map((key): [string, string] => [key, 'The key of the row.']),
    [columns.label, 'The most probable class; NULL where the row cannot be scored.'],
    ...columns.probabilities.map((own): [string, string] => [own, 'The probability of the class.']),
    ...columns.logOdds.map((own): [string, string] => [own, 'The log-odds of the class.']),
  ];
  const lines = [
    'version: 2',
    'models:',
    `  - name: ${name}`,
    `    description: ${quoted('Class probabilities, exported by Pólya.')}`,
    '    columns:',
    ...described.flatMap(([own, text]) => [`      - name: ${quoted(own)}`, `        description: ${quoted(text)}`]),
  ];
  if (!weights) return `${lines.join('\n')}\n`;
  const types = weights.columns.map((column) => `        ${column.name}: ${columnType(dialect, column)}`);
  const seed = ['seeds:', `  - name: ${name}_weights`, '    config:', '      column_types:', ...types];
  return `${[...lines, ...seed].join('\n')}\n`;
}

/** The rows of the weights as CSV with every text quoted; NULL is empty. */
function csvOf({ columns, rows }: WeightTable): string {
  const cell = (value: number | string | null) =>
    typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : value === null ? '' : String(value);
  const lines = [columns.map(({ name }) => name).join(',')];
  for (const row of rows()) lines.push(row.map(cell).join(','));
  return `${lines.join('\n')}\n`;
}
