import type { State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import type { Plan, PlanScore } from '../plan.ts';
import { PlanBuilder, planFrom, type Ranking } from './builder.ts';
import { calibratedScore } from './calibrated.ts';
import { estimatorPosterior } from './estimators.ts';
import { cannotCarry, type Kinds } from './inside.ts';
import { type Source, wholeRow } from './sources.ts';
import { transformed } from './steps.ts';

/** The code that the plan of a state needs: that of its families, of its selectors, and of classifiers of records. */
export interface Parts {
  readonly kinds: Kinds;
  readonly ranking?: Ranking | undefined;
  readonly planOfRecords?: ((builder: PlanBuilder, state: State) => Plan) | undefined;
}

/** Whether a state is that of a classifier of records, or of the ensemble of texts that version 0.1 saved alone. */
export const hasRecords = ({ kind }: State): boolean => kind === 'Classifier' || kind === 'TextPool';

/** The plan of a model, from its state. */
export function planOfState(state: State, { kinds, ranking, planOfRecords }: Parts): Plan {
  const builder = new PlanBuilder(kinds, ranking);
  if (planOfRecords && hasRecords(state)) return planOfRecords(builder, state);
  const score = scoreOf(builder, state, wholeRow);
  return planFrom(builder, state.kind, [...classesOf(builder, state)], score);
}

/** The classes of a model that has a score. */
function classesOf(builder: PlanBuilder, state: State): readonly Label[] {
  if (builder.isCounting(state)) return builder.open(state).learned.classes;
  return state.kind === 'Pipeline' ? classesOf(builder, state.steps!.at(-1)!) : (state.learned.classes as Label[]);
}

/** ln p(c | x) of a model over a source. */
function scoreOf(builder: PlanBuilder, state: State, source: Source): PlanScore {
  if (builder.isCounting(state)) return estimatorPosterior(builder, builder.open(state), source);
  if (state.kind === 'Pipeline') return pipelineScore(builder, state, source);
  if (state.kind !== 'CalibratedClassifierCV') {
    return cannotCarry(`a model of the kind ${state.kind}`, 'no export supports it');
  }
  return calibratedScore(builder, state, source, (inner) => scoreOf(builder, inner, source));
}

function pipelineScore(builder: PlanBuilder, { steps = [] }: State, source: Source): PlanScore {
  const last = steps.at(-1) ?? cannotCarry('a pipeline without steps', 'it has no classes');
  const missing = builder.isCounting(last) && builder.open(last).expectation.missing === true;
  let at = source;
  for (const step of steps.slice(0, -1)) at = { vector: transformed(step, { builder, source: at, missing }) };
  return scoreOf(builder, last, at);
}
