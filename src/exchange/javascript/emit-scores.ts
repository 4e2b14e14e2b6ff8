import type { CalibratedMember, EachScore, Line, Plan, PlanScore } from '../plan.ts';
import { termCode } from './emit-terms.ts';
import type { VectorCodes } from './emit-vectors.ts';
import { numberLiteral } from './literals.ts';
import type { ModuleText } from './module.ts';

/** What scores are written with. */
interface Place {
  readonly module: ModuleText;
  readonly plan: Plan;
  readonly vectors: VectorCodes;
  /** The name of a constant list. */
  numbers(values: ArrayLike<number>): string;
  /** Program text for a score inside. */
  code(score: PlanScore): string;
}

const scores: EachScore<[place: Place], string> = {
  sum: ({ start, terms }, { module, plan, vectors, numbers }) =>
    terms.reduce(
      (sum, term) => termCode(module, term, vectors, plan.vectors[term.vector].width, sum),
      `${numbers(start)}.slice()`,
    ),
  add: ({ start, parts }, { module, numbers, code }) =>
    parts.reduce(
      (sum, { of, less }) => module.call('add', sum, code(of), less ? numbers(less) : 'null'),
      numbers(start),
    ),
  either: ({ first, second, needed }, { module, numbers, code }) =>
    module.call('either', code(first), `() => ${code(second)}`, numbers(needed)),
  place: ({ of, places, classes, fill }, { module, numbers, code }) =>
    module.call('place', code(of), numbers(places), classes, numberLiteral(fill)),
  opposed: ({ of }, { module, code }) => module.call('opposed', code(of)),
  pool: ({ bias, weights, members }, { module, numbers, code }) =>
    module.call('pool', numbers(bias), numbers(weights), `[${members.map(code).join(', ')}]`),
  posterior({ of, prior, impossible, sum }, { module, numbers, code }) {
    const stands = impossible === 'refuse' ? 'null' : prior ? numbers(prior) : undefined;
    const possible = stands ? module.call('possible', code(of), stands) : code(of);
    return module.call(sum === 'together' ? 'together' : 'softmax', possible);
  },
  soften({ of, least, tail, unmet, unmetScore }, { module, numbers, code }) {
    const rest = [tail === null ? 'null' : numberLiteral(tail), numbers(unmet), numberLiteral(unmetScore)];
    return module.call('soften', code(of), numberLiteral(least), ...rest);
  },
  platt: ({ of, a, b }, { module, numbers, code }) => module.call('platt', code(of), numbers(a), numbers(b)),
  steps: ({ of, lines, floor }, place) =>
    place.module.call('steps', place.code(of), linesCode(lines, place), numberLiteral(floor)),
  curve({ of, curve, floor }, place) {
    const { module, numbers, code } = place;
    if (curve.method === 'temperature') return module.call('tempered', code(of), numberLiteral(curve.beta));
    const sides = curve.method === 'sigmoid' ? 'sigmoidSides' : 'lineSides';
    const lists = curve.method === 'sigmoid' ? [numbers(curve.a), numbers(curve.b)] : [linesCode(curve.lines, place)];
    const rest = curve.method === 'sigmoid' ? lists : [...lists, numberLiteral(floor)];
    return module.call('onCurve', code(of), module.call(sides, ...rest));
  },
  calibrated: ({ members }, place) =>
    place.module.call('average', `[${members.map((member) => memberCode(member, place)).join(', ')}]`),
};

function linesCode(lines: readonly Line[], { numbers }: Place): string {
  return `[${lines.map(({ x, y }) => `[${numbers(x)}, ${numbers(y)}]`).join(', ')}]`;
}

/** Calibrated probabilities of one member. */
function memberCode({ of, over, curve }: CalibratedMember, place: Place): string {
  const { module, numbers } = place;
  const own = `Array.from(${place.code(of)})`;
  const values = over === 'probabilities' ? `${own}.map(Math.exp)` : own;
  if (curve.method === 'sigmoid') return module.call('sigmoid', values, numbers(curve.a), numbers(curve.b));
  if (curve.method === 'isotonic') return module.call('isotonic', values, linesCode(curve.lines, place));
  const logits = over === 'probabilities' ? `${values}.map((p) => Math.log(p + 1e-12))` : values;
  return module.call('temperature', logits, numberLiteral(curve.beta));
}

/** Program text for the scores of a plan, over its vectors v0, v1 … */
export function scoreCode(module: ModuleText, plan: Plan, vectors: VectorCodes): string {
  const place: Place = {
    module,
    plan,
    vectors,
    numbers: (values) => module.numbers(values),
    code: (score) => scores[score.op](score as never, place),
  };
  return place.code(plan.score);
}
