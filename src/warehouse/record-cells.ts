import type { ReadColumn } from '../auto/learner-columns.ts';
import { type FamilyName, familyOf } from '../auto/learner-families.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { numberLiteral, quoteIdentifier, quoteString, type SqlDialect } from '../engines/sql/dialect.ts';
import { column as nameOf } from '../engines/sql/frame.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import { trimmed } from '../exchange/sql/words.ts';
import type { Opened } from './source.ts';

/** The table with its cells as the learner reads them: words without surrounding blanks, a missing count as zero. */
export function readAs(columns: readonly ReadColumn[], model: FamilyName, opened: Opened): Opened {
  const { frame, features } = opened;
  const { dialect } = frame.engine;
  const known = new Map(features.map((own) => [own.name, own]));
  const { blank } = familyOf(model);
  const read = columns.map(({ name, reading, format }): { column: EngineColumn; sql: string } => {
    const own = known.get(name) as EngineColumn;
    const cell = quoteIdentifier(dialect, name);
    const number = wordsOf(dialect).double(cell);
    if (reading === 'level') return levelOf(own, cell, dialect, format?.missing);
    if (reading === 'text')
      return { column: { ...own, kind: 'text' }, sql: `COALESCE(${wordsOf(dialect).text(cell)}, '')` };
    if (reading === 'bin') {
      return refuse(
        'E_ENGINE_CAPABILITY',
        `column ${show(name)} would be binned by its rows; use 'mixed', or convert it to text`,
        {
          column: name,
        },
      );
    }
    if (reading === 'count' && blank === 'zero')
      return { column: own, sql: `COALESCE(${number}, ${numberLiteral(dialect, 0)})` };
    return { column: own, sql: cell };
  });
  const listed = read.map(({ column, sql }) => `${sql} AS ${quoteIdentifier(dialect, column.name)}`);
  const own = [frame.label, ...(frame.weight === undefined ? [] : [frame.weight])];
  const names = ['own_label', 'own_weight'].map((name) => nameOf(frame, name));
  const carried = own.map((sql, k) => `${sql} AS ${names[k]}`);
  const relation = `(SELECT ${[...carried, ...listed].join(', ')} FROM ${frame.relation}) AS ${nameOf(frame, 'table')}`;
  return {
    ...opened,
    frame: { ...frame, relation, label: names[0], weight: frame.weight && names[1] },
    features: read.map(({ column }) => column),
  };
}

/** A level as a word, NULL if it is missing: engines format fractional numbers differently. */
function levelOf(
  own: EngineColumn,
  cell: string,
  dialect: SqlDialect,
  missing: readonly string[] = [],
): { column: EngineColumn; sql: string } {
  if (own.kind === 'boolean') return { column: own, sql: cell };
  if (own.kind === 'real') {
    refuse(
      'E_ENGINE_CAPABILITY',
      `column ${show(own.name)} is of type ${own.type}, and engines format such numbers differently; convert it to text`,
      {
        column: own.name,
      },
    );
  }
  const word = trimmed(dialect, cell);
  const absent = ['', ...missing].map((own) => quoteString(dialect, own)).join(', ');
  return { column: { ...own, kind: 'text' }, sql: `CASE WHEN ${word} NOT IN (${absent}) THEN ${word} END` };
}
