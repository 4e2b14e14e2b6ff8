import type { View } from '../auto/records.ts';
import type { SchemaColumn } from '../auto/schema.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { doubleType, quoteIdentifier } from '../engines/sql/dialect.ts';
import { column } from '../engines/sql/frame.ts';
import { refuse } from '../errors.ts';
import { TensorVectors } from '../exchange/lower/vectors.ts';
import { PlanBuilder } from '../exchange/plan/builder.ts';
import { frameOf, viewOf } from '../exchange/plan/records.ts';
import { sqlCells } from '../exchange/sql/inputs.ts';
import { QueryBuilder } from '../exchange/sql/query-builder.ts';
import { sqlAlgebra } from '../exchange/sql/writer.ts';
import type { Opened } from './source.ts';

/**
 * A table whose columns are the features of a view: cells in bins, compared with a level, scaled. The SQL is that of an export, so
 * the engine counts what it will score.
 */
export function viewTable(opened: Opened, columns: readonly SchemaColumn[], view: View): Opened {
  const { frame, features } = opened;
  const { dialect } = frame.engine;
  const q = (name: string) => column(frame, name);
  const kinds = new Map(features.map(({ name, kind }) => [name, kind]));
  const plan = new PlanBuilder({});
  const typed = (name: string) => kinds.get(name) === 'integer' || kinds.get(name) === 'real';
  const last = viewOf(
    plan,
    view,
    frameOf(
      plan,
      columns.map((own, at) => ({ ...own, at, typed: typed(own.name) })),
    ),
  );
  const query = new QueryBuilder(dialect, frame.prefix);
  const algebra = sqlAlgebra(query, []);
  const refuseTexts = () => refuse('E_TYPE', 'a view has no texts');
  const reader = { ...sqlCells(query, ({ name }) => [query.column(name)]), counts: refuseTexts };
  const cells = algebra.expressions(algebra.keep(new TensorVectors(algebra, plan, reader).vector(last)));
  const carried = [
    `${frame.label} AS ${q('own_label')}`,
    ...(frame.weight === undefined ? [] : [`${frame.weight} AS ${q('own_weight')}`]),
    ...Array.from(query.read, ([name, short]) => `${quoteIdentifier(dialect, name)} AS ${short}`),
  ];
  const first = q('table');
  const stages = query.ctes(first);
  const names = cells.map((_, j) => `${frame.prefix}f${j}`);
  const own = [q('own_label'), ...(frame.weight === undefined ? [] : [q('own_weight')])];
  const listed = [...own, ...cells.map(({ text }, j) => `${text} AS ${quoteIdentifier(dialect, names[j])}`)];
  const rows = `${first} AS (SELECT ${carried.join(', ')} FROM ${frame.relation})`;
  return {
    ...opened,
    frame: {
      ...frame,
      relation: `(WITH ${[rows, ...stages.texts].join(', ')} SELECT ${listed.join(', ')} FROM ${stages.last}) AS ${q('view')}`,
      label: q('own_label'),
      weight: frame.weight && q('own_weight'),
    },
    features: names.map((name): EngineColumn => ({ name, kind: 'real', type: doubleType(dialect) })),
  };
}
