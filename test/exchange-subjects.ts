import { Random } from '../src/math/random.ts';
import { calibrated } from './exchange/calibrated.ts';
import type { Case, Subject } from './exchange/draws.ts';
import { discriminants, families } from './exchange/families.ts';
import { columnPipelines, pipelines } from './exchange/pipelines.ts';

export { chosen, writtenCells } from './exchange/chosen.ts';
export { type Case, labelsOf, type Subject } from './exchange/draws.ts';
export { families } from './exchange/families.ts';

/** All that are fast to fit. */
export const subjects: readonly Subject[] = [
  ...families,
  ...discriminants,
  ...pipelines,
  ...columnPipelines,
  ...calibrated,
];

/** A fitted model of a subject. */
export const drawn = (subject: Subject, seed: number): Case => subject.draw(new Random(seed));
