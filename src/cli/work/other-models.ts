import { numberOf } from '../../data/cells.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import type { Label } from '../../data/labels.ts';
import { Matrix } from '../../data/matrix.ts';
import type { Explanation } from '../../estimators/explanation.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import type { Judge } from './model-input.ts';

/** What estimators, pipelines and text pools have in common. */
interface Other {
  readonly kind: string;
  readonly classes?: readonly Label[];
  readonly steps?: readonly { readonly kind: string }[];
  readonly featureNamesIn?: readonly (string | null)[] | undefined;
  readonly nFeaturesIn?: number;
  predictLogProba?(X: unknown): Matrix;
  explain?(X: unknown): Explanation[];
}

const vectorizers: ReadonlySet<string> = new Set(['CountVectorizer', 'TfidfVectorizer', 'HashingVectorizer']);
const byLevels: ReadonlySet<string> = new Set([
  'CategoricalNB',
  'MixedNB',
  'TreeAugmentedNB',
  'KDependenceNB',
  'AveragedOneDependenceNB',
]);

/** A model that is no classifier of records: it reads one column of text, or columns of numbers by name or in their order. */
export function otherJudge(opened: unknown, file: string): Judge {
  const model = opened as Other;
  if (!model.predictLogProba || !model.classes) {
    return fail('E_CONFLICT', texts.model.noAnswer(safe(file), model.kind), { details: { kind: model.kind } });
  }
  const ofText = model.kind === 'TextPool' || vectorizers.has(model.steps?.[0]?.kind ?? '');
  const names = ofText ? ['text'] : namesOf(model);
  const read = (table: BlockTable) =>
    ofText ? table.column('text').documents() : cellsOf(table, names, byLevels.has(model.kind));
  return {
    file,
    kind: model.kind,
    classes: model.classes.map(String),
    target: undefined,
    columns: names,
    texts: ofText ? names : [],
    predictLogProba: (table) => model.predictLogProba!(read(table)),
    explain: (row) => explained(model, read(new RecordTable([row]))),
    classifier: undefined,
    opened,
  };
}

function namesOf({ featureNamesIn, nFeaturesIn = 0 }: Other): string[] {
  const names = featureNamesIn?.filter((name): name is string => typeof name === 'string') ?? [];
  return names.length === nFeaturesIn ? names : [];
}

/** The cells by name, or all cells of a row in their order. */
function cellsOf(table: BlockTable, names: readonly string[], levels: boolean): unknown {
  const columns = (names.length > 0 ? names : table.names).map((name) => table.column(name).cells());
  const cells = Array.from({ length: table.length }, (_, i) => columns.map((column) => column[i]));
  if (levels) return cells.map((row) => row.map((cell) => (cell === '' ? null : cell)));
  const numbers = cells.map((row, i) =>
    row.map((cell, j) => {
      const value = numberOf(cell);
      if (!Number.isNaN(value)) return value;
      return fail(
        'E_TYPE',
        texts.model.numberNeeded(i + 1, safe(names[j] ?? String(j + 1), 40), safe(String(cell), 40)),
        {
          details: { row: i, column: j },
        },
      );
    }),
  );
  return Matrix.from(numbers);
}

function explained(model: Other, X: unknown): ReturnType<Judge['explain']> {
  const { kind } = model;
  if (!model.explain) return fail('E_CONFLICT', texts.model.noReasons(kind), { details: { kind } });
  const [{ contributions, prior, rest }] = model.explain(X);
  const terms = contributions.map(({ feature, byClass }) => ({ feature: String(feature), value: feature, byClass }));
  const start = prior.map((value, c) => value + (rest?.[c] ?? 0));
  const score = start.map((value, c) => terms.reduce((sum, { byClass }) => sum + byClass[c], value));
  return { terms, rest: start, score };
}
