import { requireOptions } from '../data/arguments.ts';
import { isList } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';

/** How an option is checked and which values it accepts, for library, command line, JSON and studio. */
export interface Option<T> {
  readonly kind: 'real' | 'integer' | 'flag' | 'choice' | 'vector' | 'custom';
  readonly default: T;
  readonly expects: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** The normalized value, or undefined if the value is not valid. */
  accept(value: unknown): T | undefined;
}

/** The options of one estimator, by name. */
// biome-ignore lint/suspicious/noExplicitAny: the value types differ from option to option and are recovered by OptionValues
export type OptionSpec = Readonly<Record<string, Option<any>>>;

/** Of an estimator without options, both its specification and its values. */
export type NoOptions = Readonly<Record<never, never>>;

/** The values that a specification describes. */
export type OptionValues<Spec extends OptionSpec> = {
  readonly [Name in keyof Spec]: Spec[Name] extends Option<infer T> ? T : never;
};

/** Options as a caller may give them: each of them may be left out. */
export type GivenOptions<Spec extends OptionSpec> = {
  readonly [Name in keyof Spec]?: OptionValues<Spec>[Name] | undefined;
};

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const inside = (value: unknown, { min = -Infinity, max = Infinity }: Bounds): boolean =>
  Number.isFinite(value) && (value as number) >= min && (value as number) <= max;

function range(noun: string, { min, max }: Bounds): string {
  if (min === undefined) return max === undefined ? noun : `${noun} ≤ ${max}`;
  return max === undefined ? `${noun} ≥ ${min}` : `${noun} from ${min} to ${max}`;
}

/** An option that accepts values as they are. */
function fitting<T>(
  kind: Option<T>['kind'],
  expects: string,
  option: Partial<Option<T>> & { readonly default: T },
  fits: (value: unknown) => boolean,
): Option<T> {
  return { kind, expects, accept: (value) => (fits(value) ? (value as T) : undefined), ...option };
}

/** A finite number. */
export function real(option: Bounds & { default: number }): Option<number> {
  return fitting('real', range('a finite number', option), option, (value) => inside(value, option));
}

/** A whole number. */
export function integer(option: Bounds & { default: number }): Option<number> {
  const fits = (value: unknown) => Number.isSafeInteger(value) && inside(value, option);
  return fitting('integer', range('a whole number', option), option, fits);
}

/** A boolean. */
export function flag(option: { default: boolean }): Option<boolean> {
  return fitting('flag', 'true or false', option, (value) => typeof value === 'boolean');
}

/** One of a few strings. */
export function choice<const T extends string>(choices: readonly T[], option: { default: T }): Option<T> {
  const expects = `one of ${choices.map((word) => `'${word}'`).join(', ')}`;
  return fitting('choice', expects, { choices, ...option }, (value) => choices.includes(value as T));
}

/** A list of finite numbers, stored as a frozen copy. */
export function vector(option: Bounds & { default: readonly number[] | null }): Option<readonly number[] | null> {
  const accept = (value: unknown) => {
    if (value === null) return null;
    const copy = isList(value) ? Array.from(value) : [];
    return copy.length > 0 && copy.every((item) => inside(item, option)) ? Object.freeze(copy) : undefined;
  };
  return { kind: 'vector', expects: `${range('a list of finite numbers, each', option)}, or null`, accept, ...option };
}

/** Accepts what either of two options accepts; the first gives the default and the text. */
export function either<A, B>(first: Option<A>, second: Option<B>): Option<A | B> {
  const accept = (value: unknown) => first.accept(value) ?? second.accept(value);
  return { ...first, kind: 'custom', expects: `${first.expects}, or ${second.expects}`, accept } as Option<A | B>;
}

/** An option that may also be null, which is its default. */
export function optional<T>(option: Option<T>): Option<T | null> {
  return {
    ...option,
    kind: 'custom',
    default: null,
    expects: option.expects.endsWith(', or null') ? option.expects : `${option.expects}, or null`,
    accept: (value: unknown) => (value === null ? null : option.accept(value)),
  } as Option<T | null>;
}

/** An option without a default, checked by its user; null if not given. */
export function unchecked<T>(): Option<T | null> {
  return { kind: 'custom', default: null, expects: 'a value', accept: (value) => value as T };
}

/** A progress callback; null if not given. */
export function callback<F extends (...args: never) => void>(): Option<F | null> {
  const accept = (value: unknown) => (value === null || typeof value === 'function' ? (value as F | null) : undefined);
  return { kind: 'custom', default: null, expects: 'a function, or null', accept };
}

/** The option `sampleWeight`. */
export const weightOption = {
  /** One weight per row. Default: 1 for every row. */
  sampleWeight: unchecked<Weights>(),
} satisfies OptionSpec;

/** Checks the given values against the specification, fills in defaults, and freezes the result. */
export function readOptions<Spec extends OptionSpec>(owner: string, spec: Spec, given: unknown): OptionValues<Spec> {
  requireOptions(owner, Object.keys(spec), given);
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(spec)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    const accepted = value === undefined ? option.default : option.accept(value);
    if (accepted === undefined) {
      refuse('E_PARAM', `parameter ${name} of ${owner} must be ${option.expects}, got ${show(value)}`, {
        name,
        expected: option.expects,
        actual: show(value),
      });
    }
    values[name] = accepted;
  }
  return Object.freeze(values) as OptionValues<Spec>;
}
