import type { ColumnOptions, SchemaColumn } from '../auto/schema.ts';
import { namedLikeId } from '../auto/schema-kinds.ts';
import { missingWords } from '../data/cells.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { quoteIdentifier, quoteString } from '../engines/sql/dialect.ts';
import { column, type Frame, unreported } from '../engines/sql/frame.ts';
import { byClass } from '../engines/sql/grouped.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';

/** The number of rows read to decide whether the words of a column are levels or nearly all distinct. */
const SAMPLE_ROWS = 1000;
const FEW_ROWS = 20;

/** What the first rows show of a column: the number of cells, and of distinct ones. */
interface Sample {
  readonly rows: number;
  readonly present: number;
  readonly distinct: number;
}

async function sampleOf(frame: Frame, columns: readonly EngineColumn[]): Promise<Sample[]> {
  const { dialect } = frame.engine;
  const { double, text } = wordsOf(dialect);
  const bare: Frame = {
    ...unreported(frame),
    weight: undefined,
    label: quoteString(dialect, ''),
  };
  const cells = columns.map(({ name }) => text(quoteIdentifier(dialect, name)));
  const aggregates = columns.flatMap((_, j) => {
    const x = column(frame, `x${j}`);
    return [double(`count(${x})`), double(`count(DISTINCT ${x})`)];
  });
  const { values } = await byClass(bare, cells, aggregates, SAMPLE_ROWS);
  const at = (k: number) => values[k]?.[0] ?? 0;
  return columns.map((_, j) => ({ rows: at(0), present: at(2 * j + 1), distinct: at(2 * j + 2) }));
}

/** The kind and the role of each column: by its type, by request, and by the first rows. */
export async function kindsOf(
  frame: Frame,
  columns: readonly EngineColumn[],
  { features, kinds = {} }: Pick<ColumnOptions, 'features' | 'kinds'>,
  levelsOnly: boolean,
): Promise<SchemaColumn[]> {
  const samples = await sampleOf(frame, columns);
  return columns.map((own, j): SchemaColumn => {
    const { name, type } = own;
    const { rows, present, distinct } = samples[j];
    const seen = { name, missing: rows - present, distinct };
    const asked = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (asked !== undefined) {
      const ignored = asked === 'ignored';
      if (asked === 'date') refuseDates(name);
      return {
        ...seen,
        kind: ignored ? 'constant' : asked,
        role: ignored ? 'ignored' : 'feature',
        reason: 'asked for',
        ...(asked === 'category' && { format: { missing: missingWords } }),
      };
    }
    const kind = kindOf(own, levelsOnly);
    const unlike = present >= FEW_ROWS && distinct > present / 2;
    const numbered = own.kind === 'integer' && distinct === present && namedLikeId(name);
    const left = !features && ((kind === 'category' && unlike) || numbered || own.kind === 'other');
    const unlikely = own.kind === 'other' ? `columns of type ${type} are not counted in an engine` : unlikeRows(rows);
    const reason = left ? unlikely : `its type is ${type}`;
    const format = kind === 'category' && !left ? { format: { missing: missingWords } } : {};
    return { ...seen, kind, role: left ? 'ignored' : 'feature', reason, ...format };
  });
}

/** Throws for a column that a named family should read as dates. */
function refuseDates(name: string): never {
  return refuse(
    'E_ENGINE_CAPABILITY',
    `an engine reads dates for ensembles only: leave the model out, or count column ${show(name)} as a category`,
    { column: name },
  );
}

const unlikeRows = (rows: number): string => `almost all of the first ${rows} rows have different values`;

function kindOf({ kind }: EngineColumn, levelsOnly: boolean): 'number' | 'category' | 'boolean' {
  if (kind === 'boolean') return 'boolean';
  if (kind === 'real' || (kind === 'integer' && !levelsOnly)) return 'number';
  return 'category';
}
