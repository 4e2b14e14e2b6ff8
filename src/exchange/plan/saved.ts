import type { State } from '../../core/artifact.ts';
import { type Label, placesShown } from '../../data/labels.ts';
import { PolyaError, refuse, show } from '../../errors.ts';
import { learnedColumns, planSteps, readRoutes } from '../../estimators/column-steps.ts';
import type { AnyKind } from '../../estimators/kinds/estimate.ts';
import { kindLoaders } from '../../estimators/kinds/loaders.ts';
import { SavedArrays } from '../../estimators/learned.ts';
import { readCalibration } from '../../estimators/saved-calibration.ts';
import type { Plan } from '../plan.ts';
import { cannotCarry, type Kinds, savedInside } from './inside.ts';
import { planOfModel } from './models.ts';
import { savedBins, savedCodes, savedSelector } from './saved-steps.ts';
import { savedVectorizer, savedWeighing } from './text.ts';

/** The plan of a saved model; the code of a family is loaded when a model needs it. Throws a `PolyaError` for every state without one. */
export async function planOfSaved(state: State): Promise<Plan> {
  try {
    return await planOfState(state);
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    return refuse('E_MODEL_CORRUPT', 'the model file is damaged: it is inconsistent', {}, cause);
  }
}

async function planOfState(state: State): Promise<Plan> {
  const kinds = await kindsOf(state);
  if (state.kind !== 'Classifier' && state.kind !== 'TextPool') {
    const model = await opened(state, kinds);
    const { classes } = model as Partial<Fitted>;
    return classes ? planOfModel(model as Fitted, kinds) : cannotCarry(`a ${state.kind}`, 'it has no classes');
  }
  const { planOfRecords } = await import('./records.ts');
  const own = state.kind === 'TextPool' ? oneText(state) : state;
  return planOfRecords(own, classesOf(own), kinds);
}

interface Fitted {
  readonly classes: readonly Label[];
}

/** The kinds of all counting classifiers of a state. */
async function kindsOf(state: State): Promise<Kinds> {
  const names = new Set<string>();
  const walk = ({ kind, steps = [] }: State) => {
    if (Object.hasOwn(kindLoaders, kind)) names.add(kind);
    steps.forEach(walk);
  };
  walk(state);
  const found = await Promise.all([...names].map(async (name) => [name, await kindLoaders[name]()] as const));
  return Object.fromEntries<AnyKind>(found);
}

/** What a plan reads of a saved estimator, transformer or composition of them. */
async function opened(state: State, kinds: Kinds): Promise<object> {
  const { kind, steps = [] } = state;
  if (Object.hasOwn(kinds, kind)) return savedInside(kinds, state);
  if (/^(Count|Tfidf|Hashing)Vectorizer$/.test(kind)) return savedVectorizer(state);
  if (kind === 'TfidfTransformer') return savedWeighing(state);
  if (kind === 'KBinsDiscretizer' || kind === 'MdlpDiscretizer') return savedBins(state);
  if (kind === 'OrdinalEncoder' || kind === 'OneHotEncoder') return savedCodes(state);
  if (kind === 'SelectKBest' || kind === 'SelectPercentile') return savedSelector(state);
  const isCalibrated = kind === 'CalibratedClassifierCV';
  const used = isCalibrated && state.params.cv !== 'prefit' ? steps.slice(1) : steps; // the first is not fitted
  const inside = await Promise.all(used.map((step) => opened(step, kinds)));
  if (kind === 'Pipeline') return { kind, steps: inside, classes: (inside.at(-1) as Partial<Fitted>).classes };
  if (kind === 'ColumnTransformer') return columnSteps(state, inside);
  if (isCalibrated) return calibrated(state, inside);
  return cannotCarry(`a model of the kind ${show(kind)}`, 'no export supports it');
}

function columnSteps(state: State, inside: readonly object[]): object {
  const { routes, remainder } = readRoutes(state, inside);
  const columns = learnedColumns(state);
  const steps = planSteps(routes, remainder, columns);
  return { kind: state.kind, fitted: () => ({ names: columns.names, steps }) };
}

function calibrated(state: State, inside: readonly object[]): object {
  const classes = state.learned.classes as Label[] | undefined;
  if (!classes) return refuse('E_NOT_FITTED', 'this model has not learned anything yet');
  const arrays = new SavedArrays(state);
  const method = state.params.method as Parameters<typeof readCalibration>[0];
  const calibratedClassifiers = inside.map((estimator, k) => ({
    estimator,
    calibration: readCalibration(method, classes.length, arrays, `${k}.`),
  }));
  return { kind: state.kind, classes, calibratedClassifiers };
}

/** The classes that a classifier of records has now. */
function classesOf({ learned, steps = [] }: State): readonly Label[] {
  const [first] = steps;
  if (first?.kind === 'TextBayes') cannotCarry('a text model of file format 1', 'load it and save it again');
  const fitted = (learned.report as unknown as Fitted).classes;
  if (first?.kind === 'RecordLearner') return first.steps?.at(-1)?.learned.classes as Label[];
  if (first?.kind === 'ColumnPool') {
    const labels = (first.params.labels as readonly Label[] | undefined) ?? fitted;
    const logs = first.steps?.[0]?.learned.logPrior as readonly (number | null)[];
    return placesShown(
      labels,
      Float64Array.from(logs, (log) => (log === null ? 0 : 1)),
    ).map((c) => labels[c]);
  }
  const labels = (first?.learned.classes as readonly Label[] | undefined) ?? fitted;
  const n = first?.arrays.n?.data;
  return placesShown(labels, n && Float64Array.from(n)).map((c) => labels[c]);
}

/** An ensemble of text alone, as version 0.1 saved it, as a classifier of records with one column. */
function oneText(state: State): State {
  const classes = state.learned.classes as Label[];
  const report = { classes, schema: { columns: [{ name: 'text' }] } };
  const learned = { report, weights: [1], bias: classes.map(() => 0), columns: [['text']] };
  return { kind: 'Classifier', params: {}, learned, arrays: {}, steps: [state] };
}
