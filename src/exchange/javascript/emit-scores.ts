import type { CalibratedMember, CellGroup, EachScore, Line, Plan, PlanCurve, PlanScore, Share } from '../plan.ts';
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
  blank: ({ of, cells, prior }, place) =>
    `(${presentCode(cells, place)} === 0 ? ${place.numbers(prior)} : ${place.code(of)})`,
  pool({ bias, weights, members, share }, place) {
    const { module, numbers, code } = place;
    const own = `[${members.map(code).join(', ')}]`;
    if (!share) return module.call('pool', numbers(bias), numbers(weights), own);
    const mixed = (fitted: Float64Array, before: Float64Array) =>
      module.call('mixed', 'r', numbers(fitted), numbers(before));
    const pool = module.call('pool', mixed(bias, share.bias), mixed(weights, share.weights), own);
    return `((r) => ${pool})(${shareCode(share, place)})`;
  },
  posterior({ of, prior, impossible, sum }, { module, numbers, code }) {
    const stands = impossible === 'refuse' ? 'null' : prior ? numbers(prior) : undefined;
    const possible = stands ? module.call('possible', code(of), stands) : code(of);
    return module.call(sum === 'together' ? 'together' : 'softmax', possible);
  },
  soften({ of, least, tail, unmet, unmetScore, share }, place) {
    const { module, numbers, code } = place;
    const rest = [tail === null ? 'null' : numberLiteral(tail), numbers(unmet), numberLiteral(unmetScore)];
    return module.call('soften', code(of), numberLiteral(least), ...rest, shareCode(share, place));
  },
  platt: ({ of, a, b }, { module, numbers, code }) => module.call('platt', code(of), numbers(a), numbers(b)),
  curve: ({ of, curve, floor, share }, place) =>
    curvedCode(share, place, of, (own) => onCurveCode(own, curve, floor, place)),
  calibrated: ({ members }, place) =>
    place.module.call('average', `[${members.map((member) => memberCode(member, place)).join(', ')}]`),
};

/** How many cells are present. */
function presentCode(groups: readonly CellGroup[], { module, vectors }: Place): string {
  const lists = groups.filter(({ text }) => !text).flatMap((group) => group.vectors.map((k) => vectors.list(k)));
  const texts = groups.filter(({ text }) => text).map((group) => group.vectors.map((k) => vectors.sparse(k)));
  return module.call('present', `[${lists.join(', ')}]`, `[${texts.map((own) => `[${own.join(', ')}]`).join(', ')}]`);
}

function shareCode(share: Share | null, place: Place): string {
  if (!share) return '1';
  return place.module.call('shareOf', presentCode(share.cells, place), numberLiteral(share.ordinary));
}

/** What a curve makes of log-probabilities, as much as the share of a row says. */
function curvedCode(share: Share | null, place: Place, of: PlanScore, curve: (own: string) => string): string {
  if (!share) return curve(place.code(of));
  const between = place.module.call('curveBetween', shareCode(share, place), curve('own'), 'own');
  return `((own) => ${between})(${place.code(of)})`;
}

function onCurveCode(own: string, curve: PlanCurve, floor: number, place: Place): string {
  const { module, numbers } = place;
  if (curve.method === 'temperature') return module.call('tempered', own, numberLiteral(curve.beta));
  const sides = curve.method === 'sigmoid' ? 'sigmoidSides' : 'lineSides';
  const lists = curve.method === 'sigmoid' ? [numbers(curve.a), numbers(curve.b)] : [linesCode(curve.lines, place)];
  const rest = curve.method === 'sigmoid' ? lists : [...lists, numberLiteral(floor)];
  return module.call('onCurve', own, module.call(sides, ...rest));
}

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
