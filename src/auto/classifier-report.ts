import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { placeOfClass } from '../estimators/inside.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { sum } from '../math/arrays.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { FamilyPredictor } from './classifier-predictors.ts';
import { bestOfEach, type ClassifierInformative, hasTelling, informativeOfLearner } from './informative.ts';
import type { RecordLearner } from './learner.ts';
import { familyOf } from './learner-families.ts';
import type { Schema } from './schema.ts';
import { smallClasses } from './warnings.ts';

/** What is known of a classifier now: how it was fitted, and what it has learned since. */
export interface ClassifierReport extends FitReport {
  readonly classes: readonly Label[];
  /** The model in a few words. */
  readonly summary: string;
  /** The columns that are neither features nor the target, each with the reason. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
  /** What the counts hold now; null where none are kept. */
  readonly learned: {
    readonly weight: number;
    readonly classes: readonly { readonly label: Label; readonly weight: number }[];
  } | null;
  /** How probabilities are calibrated; null if they are not, or by the pool alone. */
  readonly calibration: {
    readonly method: CurveMethod;
    readonly on: string;
    readonly rows: number;
    /** Rows were learned or unlearned since; the curve stays until it is calibrated again. */
    readonly stale: boolean;
  } | null;
}

/** The family behind a classifier, where it is one that counts. */
export function countingOf({ predictors: [first] }: Pick<ClassifierParts, 'predictors'>): FamilyPredictor | undefined {
  return first instanceof FamilyPredictor ? first : undefined;
}

/** The classes as they are now. */
export function classesOf({ predictors: [first], classes }: ClassifierParts): readonly Label[] {
  return first.classes ?? classes;
}

/** The weight of all that was learned; null where it is not kept. */
export function learnedWeight({ predictors: [first] }: ClassifierParts): number | null {
  const { classCount } = first;
  return classCount ? sum(classCount) : null;
}

/** Which informative features are asked for. */
export interface ClassifierInformativeOptions<L extends Label = Label> {
  /** The class whose evidence is listed. Default: all classes, one after the other. */
  readonly class?: L | undefined;
  /** The number of features per class; an ensemble has at most 30. Default: 10. */
  readonly k?: number | undefined;
}

/** What speaks most for each class, by the counts of a family or as it was found when a pool was fitted. */
export function informativeOf(parts: ClassifierParts, options: ClassifierInformativeOptions): ClassifierInformative[] {
  const { class: only, k = 10 } = options;
  const classes = classesOf(parts);
  if (only !== undefined) placeOfClass(classes, only);
  const counting = countingOf(parts);
  if (counting && hasTelling(counting.learner)) return informativeOfLearner(counting.learner, only, k);
  const { informative } = parts.report;
  if (!informative) {
    const what = 'mostInformative';
    return refuse('E_CONFLICT', 'this model does not keep what speaks for its classes; explain a row instead', {
      method: what,
    });
  }
  return bestOfEach(informative, only === undefined ? classes : [only], k);
}

/** The report of a classifier as it is now. */
export function reportOf(parts: ClassifierParts): ClassifierReport {
  const { report, curve } = parts;
  const classes = classesOf(parts);
  const counting = countingOf(parts);
  const weight = learnedWeight(parts);
  const counts = parts.predictors[0].classCount ?? new Float64Array(classes.length);
  return {
    ...structuredClone(report),
    warnings: [...report.warnings, ...(weight ? smallClasses(classes, counts, report.classWeight !== undefined) : [])],
    classes,
    ignored: ignoredIn(report.schema),
    summary: counting ? describe(counting.learner) : describePool(report),
    learned: weight === null ? null : { weight, classes: classes.map((label, c) => ({ label, weight: counts[c] })) },
    calibration: curve
      ? {
          method: curve.calibration.method,
          on: curve.on,
          rows: curve.rows,
          stale: curve.learned !== weight || curve.classes.length !== classes.length,
        }
      : null,
  };
}

function ignoredIn({ columns }: Schema): ClassifierReport['ignored'] {
  return columns.filter(({ role }) => role === 'ignored').map(({ name, reason }) => ({ name, reason }));
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** 'multinomial naive Bayes, α = 0.3, 1–2-grams, 8,713 words, 2 classes'. */
function describe({ plan, vectorizers, widths, alpha, classes }: RecordLearner): string {
  const words = vectorizers.map((vectorizer, b) => {
    const {
      ngramRange: [low, high],
      analyzer,
      binary,
    } = vectorizer.getParams();
    const grams = high === 1 ? '' : `${low === high ? low : `${low}–${high}`}-grams, `;
    const characters = typeof analyzer === 'string' && analyzer.startsWith('char') ? 'of characters, ' : '';
    const kind = vectorizer instanceof CountVectorizer ? 'words' : 'hashed columns';
    return `${binary ? 'set of words, ' : ''}${grams}${characters}${grouped(widths[b])} ${kind}`;
  });
  const others = plan.columns.length - vectorizers.length;
  return [
    familyOf(plan.model).title,
    ...(typeof alpha === 'number' ? [`α = ${alpha}`] : []),
    ...words,
    ...(others > 0 ? [`${others} ${others === 1 ? 'column' : 'columns'}`] : []),
    `${classes.length} ${classes.length === 1 ? 'class' : 'classes'}`,
  ].join(', ');
}

/** 'ensemble of 2 models; best single: characters 3–5: multinomial; log-loss 0.046, the best alone 0.048'. */
function describePool({ tried }: FitReport): string {
  const members = tried.filter(({ weight }) => weight !== undefined);
  const names = members.filter(({ chosen }) => chosen).map(({ name }) => name);
  if (names.length === 1) return names[0];
  const together = tried.filter(({ weight, chosen }) => chosen && weight === undefined);
  const alone = Math.min(...members.map(({ logLoss }) => logLoss));
  const better = together.length === 1 && together[0].logLoss < alone; // members alone are not cross-fitted
  const why = better ? `; log-loss ${together[0].logLoss.toFixed(3)}, the best alone ${alone.toFixed(3)}` : '';
  const [best] = members.filter(({ chosen }) => chosen).sort((a, b) => a.logLoss - b.logLoss);
  return `ensemble of ${names.length} models; best single: ${best.name}${why}`;
}
