import type { OneHotEncoder } from '../../estimators/one-hot-encoder.ts';
import type { OrdinalEncoder } from '../../estimators/ordinal-encoder.ts';
import { type Category, groupRare, isMissing } from '../../features/encode.ts';
import type { Fallback } from '../plan.ts';
import type { Levels } from './sources.ts';

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
export function ordinalCodes(encoder: OrdinalEncoder): Levels[] {
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
export function hotCodes(encoder: OneHotEncoder): { levels: Levels[]; widths: Int32Array } {
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
