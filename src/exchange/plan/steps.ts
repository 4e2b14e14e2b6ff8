import type { State } from '../../core/artifact.ts';
import type { ColumnTransformer, Step } from '../../estimators/column-transformer.ts';
import type { KBinsDiscretizer } from '../../estimators/kbins-discretizer.ts';
import type { OneHotEncoder } from '../../estimators/one-hot-encoder.ts';
import type { OrdinalEncoder } from '../../estimators/ordinal-encoder.ts';
import type { SelectKBest } from '../../estimators/select.ts';
import { type Category, groupRare, isMissing } from '../../features/encode.ts';
import type { Fallback } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { cannotCarry } from './inside.ts';
import { type Levels, levelsFrom, numbersFrom, type RowSource, type Source, withNames } from './sources.ts';
import { type Vectorizing, vectorized, type Weighing, weighedBy } from './text.ts';

/** Where a transformer reads, and whether the step behind it takes missing numbers. */
interface Context {
  readonly builder: PlanBuilder;
  readonly source: Source;
  readonly missing: boolean;
}

/** For each transformer the function that adds its vectors and returns the number of the last. */
const transformers: Readonly<Record<string, (step: never, context: Context) => number>> = {
  CountVectorizer: (step: Vectorizing, { builder, source }) => vectorized(builder, step, source),
  TfidfVectorizer: (step: Vectorizing, { builder, source }) => vectorized(builder, step, source),
  HashingVectorizer: (step: Vectorizing, { builder, source }) => vectorized(builder, step, source),
  TfidfTransformer: weighted,
  SelectKBest: selected,
  SelectPercentile: selected,
  KBinsDiscretizer: binned,
  MdlpDiscretizer: binned,
  OrdinalEncoder: (step: OrdinalEncoder, context) => coded(step, context, ordinalCodes(step)),
  OneHotEncoder: (step: OneHotEncoder, context) => {
    const { levels, widths } = hotCodes(step);
    return context.builder.vector({ op: 'onehot', from: coded(step, context, levels), widths });
  },
  ColumnTransformer: joined,
  Pipeline: ({ steps }: { steps: readonly { kind: string }[] }, context) => chained(steps, context),
};

/** The vector that a transformer makes of a source; `missing` says whether the step behind it takes missing numbers. */
export function transformed(step: { readonly kind: string }, context: Context): number {
  const make = Object.hasOwn(transformers, step.kind) ? transformers[step.kind] : undefined;
  if (!make) return cannotCarry(`the step ${step.kind}`, 'no export supports it');
  return make(step as never, context);
}

function chained(steps: readonly { readonly kind: string }[], { builder, source, missing }: Context): number {
  let at = source;
  for (const step of steps) at = { vector: transformed(step, { builder, source: at, missing }) };
  return 'vector' in at ? at.vector : cannotCarry('a pipeline without steps', 'it makes no numbers');
}

function weighted(step: Weighing & { toState(): State }, { builder, source }: Context): number {
  const counts = () => numbersFrom(builder, source, step.toState().arrays.df.data.length, { nonNegative: true });
  return weighedBy(builder, step, 'vector' in source ? source.vector : counts());
}

function selected(step: SelectKBest, { builder, source, missing }: Context): number {
  const own = withNames(source, step.featureNamesIn);
  const from = numbersFrom(builder, own, step.nFeaturesIn, { missing });
  const columns = Uint32Array.from(step.getSupport({ indices: true }));
  return builder.vector({ op: 'pick', from, columns });
}

function binned(step: KBinsDiscretizer, { builder, source }: Context): number {
  const { encode, missing } = step.getParams();
  const own = withNames(source, step.featureNamesIn);
  const edges = step.binEdges;
  const gaps = missing === 'bin';
  const from = numbersFrom(builder, own, edges.length, { missing: gaps });
  const cuts = edges.map((list) => list.slice(1, -1));
  const codes = builder.vector({ op: 'bin', from, cuts, missing: gaps ? 'last' : 'missing' });
  if (encode === 'ordinal') return codes;
  const widths = Int32Array.from(cuts, (list) => list.length + (gaps ? 2 : 1));
  return builder.vector({ op: 'onehot', from: codes, widths });
}

function coded(
  step: { readonly kind: string; readonly featureNamesIn: string[] | undefined },
  { builder, source }: Context,
  levels: readonly Levels[],
): number {
  const own = withNames(source, step.featureNamesIn);
  if ('vector' in own) return cannotCarry(`an ${step.kind} behind another step`, 'it codes the cells of rows');
  return levelsFrom(builder, own, levels);
}

/** The columns of every step side by side. */
function joined(step: ColumnTransformer, { builder, source, missing }: Context): number {
  const inside = step as unknown as { fitted(): { names: readonly string[] | undefined; steps: readonly Step[] } };
  const { names, steps } = inside.fitted();
  const row = withNames(source, names);
  if ('vector' in row || row.columns) {
    return cannotCarry('a ColumnTransformer behind another step', 'it takes the columns of rows');
  }
  const from = steps
    .filter(({ action, columns }) => action !== 'drop' && columns.length > 0)
    .map(({ action, columns }) => {
      const part: RowSource = { names: row.names, columns: names ? inKeyOrder(columns, names) : columns };
      if (typeof action === 'string') return numbersFrom(builder, { ...part, columns }, columns.length, { missing });
      return transformed(action as unknown as { kind: string }, { builder, source: part, missing });
    });
  return builder.joined(from);
}

/** A step gets named columns in the order of object keys, in which names like "7" come first. */
function inKeyOrder(columns: readonly number[], names: readonly string[]): number[] {
  const keys = Object.create(null) as Record<string, number>;
  for (const j of columns) keys[names[j]] = j;
  return Object.keys(keys).map((name) => keys[name]);
}

/** A code of a cell as a fallback; NaN is a missing number. */
const fallbackOf = (code: number): Fallback => (Number.isNaN(code) ? 'missing' : code);

/** Categories with their codes, the code of a missing cell if one was seen, and that of unknown categories. */
function levelsOf(values: readonly Category[], codes: ArrayLike<number>, unknown: Fallback): Levels {
  const present = [...values.keys()].filter((v) => !isMissing(values[v]));
  const gap = values.findIndex(isMissing);
  return {
    levels: present.map((v) => values[v] as string | number | boolean),
    codes: Float64Array.from(present, (v) => codes[v]),
    match: 'exact',
    missing: gap < 0 ? unknown : fallbackOf(codes[gap]),
    unknown,
  };
}

/** The places of the infrequent categories of a feature. */
const rareOf = (values: readonly Category[], rare: readonly Category[] | null) =>
  [...values.keys()].filter((v) => rare?.some((own) => Object.is(own, values[v])));

/** How the columns of an OrdinalEncoder are read. */
function ordinalCodes(encoder: OrdinalEncoder): Levels[] {
  const { handleUnknown, unknownValue, encodedMissingValue } = encoder.getParams();
  const unknown = handleUnknown === 'error' ? 'refuse' : fallbackOf(unknownValue ?? Number.NaN);
  const { categories, infrequentCategories } = encoder;
  return categories.map((values, j) => {
    const present = values.filter((value) => !isMissing(value)).length;
    const codes = Array.from(groupRare(present, rareOf(values, infrequentCategories[j])));
    return levelsOf(values, [...codes, encodedMissingValue], unknown);
  });
}

/** How the columns of a OneHotEncoder are read, as places among their columns of 0 and 1, and how many those are. */
function hotCodes(encoder: OneHotEncoder): { levels: Levels[]; widths: Int32Array } {
  const { handleUnknown } = encoder.getParams();
  const { categories, infrequentCategories, dropIdx } = encoder;
  const widths = new Int32Array(categories.length);
  const levels = categories.map((values, j) => {
    const rare = rareOf(values, infrequentCategories[j]);
    const places = groupRare(values.length, rare);
    const size = values.length - rare.length + (rare.length > 0 ? 1 : 0);
    const at = dropIdx?.[j] ?? null;
    const dropped = at === null ? -1 : places[at];
    const shift = (place: number) => (place === dropped ? -1 : dropped >= 0 && place > dropped ? place - 1 : place);
    widths[j] = size - (dropped >= 0 ? 1 : 0);
    const strange = handleUnknown !== 'ignore' && rare.length > 0 ? shift(size - 1) : -1;
    return levelsOf(values, Array.from(places, shift), handleUnknown === 'error' ? 'refuse' : strange);
  });
  return { levels, widths };
}
