import { type Dataset, datasetOf, type SampleCell } from './dataset.ts';

const areas: readonly (readonly [string, readonly (number | null)[]])[] = [
  ['single', [28, 31, 32, 35, 38, 39, 41, 43, 45, 46, 48, 50, 52, 54, 58, 95]],
  ['couple', [51, 55, 57, 60, 62, 64, 66, 68, 70, 71, 75, 77, 80, 84, 88]],
  ['family', [73, 79, 90, 93, 98, 101, 105, 110, 118, 122, 128, 135, 140, null]],
];

type HousesRow = { area: number | null; buyer: 'single' | 'couple' | 'family' };

/** Forty-five houses by area and buyer: a number that becomes a few levels, and levels can be counted. */
export function loadHouses(): Dataset<HousesRow, 'buyer'> {
  const card = {
    name: 'houses',
    title: 'House areas and who bought',
    columns: ['area', 'buyer'],
    target: 'buyer' as const,
    description: 'Areas in square metres of 45 houses and their buyers; of one house the area was never written down.',
    source: 'made up for the lesson on bins',
    license: 'CC0, made for this project',
  };
  return datasetOf(
    card,
    areas.flatMap(([buyer, list]) => list.map((area): SampleCell[] => [area, buyer])),
  );
}
