import type { State } from '../../core/artifact.ts';
import { checkNames } from '../../data/input.ts';
import { compareLabels, type Label, sortClasses } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse, show } from '../../errors.ts';
import { sum } from '../../math/arrays.ts';
import { type Entries, finite, list, type Read, refuseFormat, text, vector } from './entries.ts';

/** Classes and columns of a fitted model. */
export interface Known {
  readonly classes: readonly Label[];
  readonly features: number;
  readonly names?: readonly string[];
}

const label: Read<Label> = (value, where) => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return text(value, where);
  return Number.isSafeInteger(value)
    ? (value as number)
    : refuse('E_LABEL_TYPE', `${where} is ${show(value)}; labels are texts, whole numbers or booleans`, {
        name: where,
      });
};

/** A weight: a finite number that is not negative. */
export const weight: Read<number> = (value, where) => {
  const read = finite(value, where);
  return read >= 0 ? read : refuseFormat(`${where} holds ${read}; Pólya counts nothing negative`, where);
};

/** The most columns accepted if the document contains only their number. */
const MOST_FEATURES = 2 ** 24;

/** A number of features. */
export const featureCount: Read<number> = (value, where) => {
  const read = finite(value, where);
  if (Number.isSafeInteger(read) && read > 0 && read <= MOST_FEATURES) return read;
  return refuseFormat(`${where} is ${read}; there are 1 to ${MOST_FEATURES} features`, where);
};

/** Reads classes, number of columns and their names. */
export function readKnown(learned: Entries): Known {
  const classes = learned.take('classes_', list(label));
  const sorted = sortClasses(classes);
  if (!sorted.every((own, c) => compareLabels(own, classes[c]) === 0)) {
    refuseFormat(`the classes of ${learned.where} are not in order`, 'classes_');
  }
  const features = learned.take('n_features_in_', featureCount);
  const names = learned.maybe('feature_names_in_', list(text));
  if (!names) return { classes: sorted, features };
  if (names.length !== features)
    refuseFormat(`there are ${names.length} names for ${features} features`, 'feature_names_in_');
  return { classes: sorted, features, names: checkNames(names) };
}

/**
 * Counts as the state of an estimator. The list of classes is open, unless one of them has no rows: it was given, and an
 * open list would not hold it.
 */
export function countedState(
  kind: string,
  { classes, features, names }: Known,
  arrays: { readonly n: Float64Array } & Readonly<Record<string, Float64Array>>,
  more: Readonly<Record<string, JsonValue>> = {},
): State {
  const learned = {
    classes: [...classes],
    closed: arrays.n.includes(0),
    features,
    ...(names && { names: [...names] }),
    ...more,
  };
  const tensors = Object.entries(arrays).map(
    ([name, data]) => [`stats.${name}`, { shape: [data.length], data }] as const,
  );
  return { kind, params: {}, learned, arrays: Object.fromEntries(tensors) };
}

/** Sums this close to 1 count as 1, as for the priors of estimators. */
const PRIOR_SUM_TOLERANCE = 1e-8;

/**
 * Given class priors. scikit-learn takes any numbers: those that do not sum to 1 are divided by their sum, which leaves
 * every posterior as it is, and negative ones are refused.
 */
export function readPriors(classes: number): Read<readonly number[] | null> {
  return (value, where) => {
    if (value === null) return null;
    const priors = vector(classes)(value, where);
    const total = sum(priors);
    if (!(priors.every((prior) => prior >= 0) && total > 0)) {
      refuse('E_PARAM', `${where} are not probabilities: they are negative or sum to ${total}`, { name: where });
    }
    return Array.from(priors, (prior) => (Math.abs(total - 1) > PRIOR_SUM_TOLERANCE ? prior / total : prior));
  };
}

/** The tolerance between parameters derived from counts and those of scikit-learn; it allows only for rounding. */
const AGREEMENT = 1e-12;

const isClose = (a: number, b: number) =>
  a === b || Math.abs(a - b) <= AGREEMENT * Math.max(1, Math.abs(a), Math.abs(b));

/** Whether two tables agree; `cares` excludes cells that affect no prediction. */
export function agrees(
  ours: Float64Array,
  theirs: Float64Array,
  cares: (cell: number) => boolean = () => true,
): boolean {
  return ours.length === theirs.length && ours.every((own, cell) => isClose(own, theirs[cell]) || !cares(cell));
}

/**
 * Throws if the parameters of a model differ from those that Pólya derives from its counts: a parameter was changed after the fit, or
 * scikit-learn has a defect there.
 */
export function requireAgreement(
  name: string,
  ours: Float64Array,
  theirs: Float64Array,
  cares: (cell: number) => boolean = () => true,
): void {
  if (agrees(ours, theirs, cares)) return;
  const cell = ours.findIndex((own, k) => !isClose(own, theirs[k]) && cares(k));
  refuse('E_FORMAT', `${name} holds ${theirs[cell]} where the counts and parameters of the model give ${ours[cell]}`, {
    name,
    cell,
  });
}
