import { refuse, show } from '../errors.ts';
import { findLoneSurrogate } from './utf8.ts';

/** What to do with two columns of the same name: throw an error, or number the later ones (`x`, `x_2`, `x_3`). */
export type Duplicates = 'refuse' | 'number';

/** The final names of the columns, without duplicates. */
export function uniqueNames(names: readonly string[], duplicates: Duplicates): readonly string[] {
  const first = new Map<string, number>();
  const repeated: number[] = [];
  for (let j = 0; j < names.length; j++) {
    const before = first.get(names[j]!);
    if (before === undefined) first.set(names[j]!, j);
    else if (duplicates === 'number') repeated.push(j);
    else refuseTwins(names[j]!, before, j);
  }
  return Object.freeze(repeated.length === 0 ? [...names] : numberTwins(names, repeated, first));
}

function refuseTwins(name: string, before: number, j: number): never {
  const sentence =
    `columns ${before + 1} and ${j + 1} are both named ${show(name)}; ` +
    "rename one, or read them with duplicates: 'number'";
  refuse('E_FEATURE_DUPLICATE', sentence, { name: name.slice(0, 200), columns: [before + 1, j + 1] });
}

function numberTwins(names: readonly string[], repeated: number[], taken: Map<string, number>): string[] {
  const unique = [...names];
  const next = new Map<string, number>(); // cached, because ten thousand duplicates would each count from 2
  for (const j of repeated) {
    const name = names[j]!;
    let number = next.get(name) ?? 2;
    while (taken.has(`${name}_${number}`)) number++;
    unique[j] = `${name}_${number}`;
    taken.set(unique[j]!, j);
    next.set(name, number + 1);
  }
  return unique;
}

/** The names that the caller gave, checked. */
export function givenNames(names: readonly unknown[], duplicates: Duplicates): readonly string[] {
  const strings = names.map((name, j) => {
    if (typeof name !== 'string') {
      refuse('E_PARAM', `option header lists names; number ${j + 1} is ${show(name)}`, { option: 'header' });
    }
    if (findLoneSurrogate(name) >= 0) refuse('E_UNICODE', `name ${j + 1} of option header has a lone surrogate`);
    return name;
  });
  return uniqueNames(strings, duplicates);
}

/** The names of columns that have none: `c1`, `c2`, … */
export function numberedNames(count: number): readonly string[] {
  return Object.freeze(Array.from({ length: count }, (_, j) => `c${j + 1}`));
}
