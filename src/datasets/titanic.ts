import { type Dataset, datasetOf } from './dataset.ts';

// class, sex, age, lost, saved: the counts of all 2201 people aboard; empty groups are left out.
const counts: readonly (readonly [string, string, string, number, number])[] = [
  ['1st', 'male', 'child', 0, 5],
  ['1st', 'male', 'adult', 118, 57],
  ['1st', 'female', 'child', 0, 1],
  ['1st', 'female', 'adult', 4, 140],
  ['2nd', 'male', 'child', 0, 11],
  ['2nd', 'male', 'adult', 154, 14],
  ['2nd', 'female', 'child', 0, 13],
  ['2nd', 'female', 'adult', 13, 80],
  ['3rd', 'male', 'child', 35, 13],
  ['3rd', 'male', 'adult', 387, 75],
  ['3rd', 'female', 'child', 17, 14],
  ['3rd', 'female', 'adult', 89, 76],
  ['crew', 'male', 'adult', 670, 192],
  ['crew', 'female', 'adult', 3, 20],
];

type TitanicRow = { class: string; sex: string; age: string; survived: 'yes' | 'no' };

/** Everyone aboard the Titanic by class, sex and age: a row per person, made from the table of counts. */
export function loadTitanic(): Dataset<TitanicRow, 'survived'> {
  const card = {
    name: 'titanic',
    title: 'Survival on the Titanic',
    columns: ['class', 'sex', 'age', 'survived'],
    target: 'survived' as const,
    description:
      'The 2201 people aboard by class, sex and age; 711 of them survived. Rows are expanded from a table of counts.',
    source: 'British Board of Trade (1912), as counted by R. J. M. Dawson, Journal of Statistics Education 3 (1995)',
    license: 'public facts',
  };
  const people = counts.flatMap(([rank, sex, age, lost, saved]) => [
    ...Array.from({ length: lost }, () => [rank, sex, age, 'no']),
    ...Array.from({ length: saved }, () => [rank, sex, age, 'yes']),
  ]);
  return datasetOf(card, people);
}
