import type { CalibratedMember, CellGroup, EachScore, Line, PlanCurve, PlanScore, Share } from '../plan.ts';
import { nested, toJsonNumber } from './shape.ts';
import { termToJson } from './terms.ts';

const list = (values: Float64Array) => nested(values, values.length);
const flags = (values: Uint8Array) => Array.from(values, Boolean);
const lineToJson = ({ x, y }: Line) => ({ x: list(x), y: list(y) });

const groupToJson = ({ vectors, text }: CellGroup) => ({ vectors: [...vectors], text });
const shareToJson = ({ cells, ordinary }: Share) => ({ cells: cells.map(groupToJson), ordinary });

type Inner = (score: PlanScore) => object;

/** What each score holds beside its op. */
const scores: EachScore<[json: Inner, widths: readonly number[]], object> = {
  sum: ({ start, terms }, _, widths) => ({
    start: list(start),
    terms: terms.map((term) => termToJson(term, start.length, widths[term.vector])),
  }),
  add: ({ start, parts }, json) => ({
    start: list(start),
    parts: parts.map(({ of, less }) => ({ of: json(of), less: less && list(less) })),
  }),
  either: ({ first, second, needed }, json) => ({ first: json(first), second: json(second), needed: flags(needed) }),
  place: ({ of, places, classes, fill }, json) => ({
    of: json(of),
    places: [...places],
    classes,
    fill: toJsonNumber(fill),
  }),
  opposed: ({ of }, json) => ({ of: json(of) }),
  blank: ({ of, cells, prior }, json) => ({ of: json(of), cells: cells.map(groupToJson), prior: list(prior) }),
  pool: ({ members, weights, bias, share }, json) => ({
    members: members.map(json),
    weights: list(weights),
    bias: list(bias),
    share: share && { ...shareToJson(share), weights: list(share.weights), bias: list(share.bias) },
  }),
  posterior: ({ of, prior, impossible, sum }, json) => ({ of: json(of), prior: prior && list(prior), impossible, sum }),
  soften: ({ of, unmet, share, ...rest }, json) => ({
    ...rest,
    of: json(of),
    unmet: flags(unmet),
    share: share && shareToJson(share),
  }),
  platt: ({ of, a, b }, json) => ({ of: json(of), a: list(a), b: list(b) }),
  curve: ({ of, curve, floor, share }, json) => ({
    of: json(of),
    curve: curveToJson(curve),
    floor,
    share: share && shareToJson(share),
  }),
  calibrated: ({ members }, json) => ({ members: members.map((member) => memberToJson(member, json)) }),
};

const memberToJson = ({ of, over, curve }: CalibratedMember, json: Inner): object => ({
  of: json(of),
  over,
  curve: curveToJson(curve),
});

function curveToJson(curve: PlanCurve): object {
  const { method } = curve;
  if (method === 'temperature') return curve;
  if (method === 'isotonic') return { method, lines: curve.lines.map(lineToJson) };
  return { method, a: list(curve.a), b: list(curve.b) };
}

/** A score as JSON; `widths` are those of the vectors of the plan. */
export function scoreToJson(score: PlanScore, widths: readonly number[]): object {
  const json = (inner: PlanScore) => scoreToJson(inner, widths);
  return { op: score.op, ...scores[score.op](score as never, json, widths) };
}
