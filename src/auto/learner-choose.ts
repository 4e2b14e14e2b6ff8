import { requireGoing } from '../engines/memory.ts';
import { refuse, show } from '../errors.ts';
import { takeTruth } from '../evaluate/log-proba.ts';
import { choosePosterior, methodsFor } from '../evaluate/posterior-calibration.ts';
import { selectRows } from '../evaluate/rows.ts';
import { evaluate } from './classifier-evaluation.ts';
import type { FitReport } from './classifier-fit.ts';
import type { Division, Material } from './classifier-material.ts';
import { type ClassifierOptions, recipeOptions } from './classifier-options.ts';
import { type CandidateAnswers, tryWords } from './learner-choose-words.ts';
import type { FamilyName } from './learner-families.ts';
import { judgeFolds } from './learner-folds.ts';
import { isAboutWords } from './learner-options.ts';
import { blankLearner, type Recipe, type RecipeOptions, recipeFor, settle } from './learner-recipe.ts';
import { orNothing } from './records-members.ts';
import { featuresOf } from './schema.ts';

/** The family that was chosen, and all that were tried. */
export interface ChosenFamily {
  readonly recipe: Recipe;
  readonly tried: FitReport['tried'];
}

/** What may be said beside the model 'auto': how text is read, and what all families understand. */
const general = ['alpha', 'priors', 'fitPrior', 'classPrior', 'classWeight', 'reproducible', 'bins'];

/**
 * Chooses, of the families that count and merge, the one with the least out-of-fold log-loss. If probabilities are to be calibrated
 * and the rows suffice, each fold is evaluated at a temperature that the other folds have set. For text, event models, smoothing
 * and n-grams are tried from shared counts.
 */
export function chooseFamily(material: Material, { folds }: Division, options: ClassifierOptions): ChosenFamily {
  // a family is chosen by how well it describes rows as they are; class weights are for the chosen one
  const { alpha, classWeight, ...said } = recipeOptions(options);
  const given: RecipeOptions = alpha === 'auto' ? said : { ...said, alpha };
  for (const name of Object.keys(given)) {
    if (general.includes(name) || isAboutWords(name)) continue;
    refuse('E_PARAM', `${show(name)} belongs to one family: name the model that it is for`, { name });
  }
  const { schema, classes } = material;
  const texts = featuresOf(schema, 'text').map(({ name }) => name);
  const others = featuresOf(schema, 'columns').length;
  const context = { asked: new Set(options.features), classes };
  const make = (model: FamilyName, own: RecipeOptions) => recipeFor(model, schema, own, context);
  let best: { loss: number; candidate: Omit<CandidateAnswers, 'logProba'> } | undefined;
  const tried: { name: string; logLoss: number; accuracy: number }[] = [];
  const weigh = (candidate: CandidateAnswers): number => {
    requireGoing(options.signal);
    const { logLoss, accuracy } = judge(candidate, options.calibrate !== false);
    tried.push({ name: candidate.name, logLoss, accuracy });
    options.onProgress?.(Math.min(0.75, tried.length / 40), candidate.name);
    if (!best || logLoss < best.loss) best = { loss: logLoss, candidate };
    return logLoss;
  };
  if (others + texts.length === 0) refuse('E_EMPTY_INPUT', 'no column says anything about the label', { features: 0 });
  if (others === 0) tryWords(material, texts, folds, given, weigh);
  else tryColumns(material, folds, columnCandidates(material, given, texts.length > 0), make, options, weigh);
  best = best as typeof best | undefined; // it is set inside
  if (!best) return refuse('E_EMPTY_INPUT', 'no family that counts can learn from these columns');
  const { model, name, options: own } = best.candidate;
  const of = others === 0 ? texts.join(', ') : 'columns';
  return {
    recipe: make(model, { ...priorsOf(given, own), classWeight }),
    tried: tried.map((entry) => ({ of, ...entry, chosen: entry.name === name })),
  };
}

const priorsOf = (
  { priors, fitPrior, classPrior, reproducible }: RecipeOptions,
  own: RecipeOptions,
): RecipeOptions => ({
  priors,
  fitPrior,
  classPrior,
  reproducible,
  ...own,
});

function judge(candidate: CandidateAnswers, calibrated: boolean) {
  const { logProba, folds } = candidate;
  const methods = calibrated ? methodsFor(candidate, logProba.cols, 'temperature') : [];
  return evaluate(choosePosterior(methods, candidate, folds)?.logProba ?? logProba, candidate, '');
}

type Attempt = readonly [model: FamilyName, name: string, options: RecipeOptions];

/** Work beyond this, in steps of an inner loop over all rows, is not begun for one candidate. */
const MOST_WORK = 2e9;
const MOST_KERNELS = 5e7;

/** The families that could describe columns that are no text, or not text alone. */
function columnCandidates({ table, schema, classes }: Material, given: RecipeOptions, text: boolean): Attempt[] {
  const { alpha = 1, ...words } = given;
  if (text) {
    const wordAlphas = given.alpha === undefined ? [1, 0.1, 0.01] : [alpha as number];
    return wordAlphas.map((wordAlpha) => [
      'mixed',
      `mixed, alpha of words ${wordAlpha}`,
      { ...words, alpha: 1, wordAlpha },
    ]);
  }
  const columns = featuresOf(schema, 'columns');
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const width = columns.length;
  const own = { alpha: alpha as number };
  const binned = given.bins ? [given.bins] : numbers.length > 0 ? (['mdl', 'frequency'] as const) : (['mdl'] as const);
  const pairs = table.length * width ** 2 * 5 < MOST_WORK;
  const square = (table.length + 10 * width) * width ** 2;
  const values = Math.max(0, ...numbers.map(({ distinct }) => distinct));
  return [
    ['mixed', 'mixed', own],
    ...binned.flatMap((bins): Attempt[] => {
      const suffix =
        numbers.length === 0 ? '' : bins === 'mdl' ? ', bins by description length' : ', bins of equal frequency';
      const level = (model: FamilyName): Attempt => [model, model + suffix, { ...own, bins }];
      return [level('categorical'), ...(pairs && width > 1 ? [level('tan'), level('aode'), level('waode')] : [])];
    }),
    ...(table.length * values <= MOST_KERNELS ? ([['kernel', 'kernel', {}]] as Attempt[]) : []),
    ['poisson', 'poisson', {}],
    ...(square < MOST_WORK ? ([['lda', 'lda', {}]] as Attempt[]) : []),
    ...(square * classes.length < MOST_WORK
      ? ([
          ['qda', 'qda', {}],
          ['rda', 'rda(0.5, 0)', {}],
          ['rda', 'rda(0.2, 0.1)', { lambda: 0.2, gamma: 0.1 }],
        ] as Attempt[])
      : []),
  ];
}

/** Weighs the candidates that can take the columns; one that refuses them is passed over. */
function tryColumns(
  material: Material,
  folds: Int32Array,
  attempts: readonly Attempt[],
  make: (model: FamilyName, options: RecipeOptions) => Recipe,
  { signal }: ClassifierOptions,
  weigh: (candidate: CandidateAnswers) => number,
): void {
  const { table, codes, classes, weights } = material;
  const labels = Array.from(codes, (c) => classes[c]);
  for (const [model, name, options] of attempts) {
    const answered = orNothing(() => {
      const recipe = make(model, options);
      const learner = blankLearner(recipe, settle(recipe, table, codes, classes.length));
      const counted = learner.fit({ table, labels, weights, signal });
      return judgeFolds(recipe, learner, counted, material, folds, signal);
    });
    if (!answered || answered.judged.length === 0) continue;
    const { logProba, judged } = answered;
    const own = Int32Array.from(judged, (i) => folds[i]);
    weigh({ model, name, options, folds: own, logProba: selectRows(logProba, judged), ...takeTruth(material, judged) });
  }
}
