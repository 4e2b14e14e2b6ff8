import { bins } from './bins.ts';
import { burstiness } from './burstiness.ts';
import { careers } from './careers.ts';
import { counting } from './counting.ts';
import { eventModels } from './event-models.ts';
import { generative } from './generative.ts';
import { kinds } from './kinds.ts';
import { maximumLikelihood } from './maximum-likelihood.ts';
import { postings } from './postings.ts';
import type { Say } from './svg.ts';
import { tellingWords } from './telling-words.ts';

/** The figure of each lesson, by the name of its page; each is computed by the library from the data of its lesson. */
const figures: Readonly<Record<string, (say: Say) => string>> = {
  '01-counting': counting,
  '02-kinds-of-features': kinds,
  '03-telling-words': tellingWords,
  '04-burstiness': burstiness,
  '05-careers': careers,
  '06-maximum-likelihood': maximumLikelihood,
  '07-event-models': eventModels,
  '08-bins': bins,
  '09-generative': generative,
  '10-postings': postings,
};

/** Every figure in both languages: the file under docs/images/lessons, and what is in it. */
export const lessonFigures = (): [string, string][] =>
  Object.entries(figures).flatMap(([name, draw]) => [
    [`${name}.svg`, draw((english) => english)],
    [`${name}.zh.svg`, draw((_, chinese) => chinese)],
  ]);
