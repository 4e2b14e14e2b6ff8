import { bins } from './bins.ts';
import { burstiness } from './burstiness.ts';
import { careers } from './careers.ts';
import { classDensities, informativeWords } from './class-densities.ts';
import { counting } from './counting.ts';
import { eventModels } from './event-models.ts';
import { generative } from './generative.ts';
import { kinds } from './kinds.ts';
import { learningCurves } from './learning-curves.ts';
import { maximumLikelihood } from './maximum-likelihood.ts';
import { postings } from './postings.ts';
import type { Say } from './svg.ts';
import { twoSchools } from './two-schools.ts';
import { wordsByInformation } from './words-by-information.ts';

/** The figures of the lessons; the number at the front is that of the lesson. The library computes each from the data of its lesson. */
const figures = (): Readonly<Record<string, (say: Say) => string>> => ({
  '01-counting': counting,
  '02-kinds-of-features': kinds,
  '03-words-by-information': wordsByInformation,
  '03-class-densities': classDensities,
  '03-informative-words': informativeWords,
  '04-burstiness': burstiness,
  '05-careers': careers,
  '06-maximum-likelihood': maximumLikelihood,
  '06-two-schools': twoSchools,
  '07-event-models': eventModels,
  '08-bins': bins,
  '09-generative': generative,
  '09-learning-curves': learningCurves(),
  '10-postings': postings,
});

/** Every figure in both languages: the file under docs/images/lessons, and its content. */
export const lessonFigures = (): [string, string][] =>
  Object.entries(figures()).flatMap(([name, draw]) => [
    [`${name}.svg`, draw((english) => english)],
    [`${name}.zh.svg`, draw((_, chinese) => chinese)],
  ]);
