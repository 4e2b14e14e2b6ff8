import { type Piece, piece } from './piece.ts';

/** Terms of levels that lean on each other. */
export const dependentPieces: Readonly<Record<string, Piece>> = {
  tree: piece(
    `
function tree(s, x, levels, parents, order, dice) {
  const face = (j, c, u, v) => {
    const above = parents[j] < 0 ? 0 : levels[parents[j]];
    return dice[j][(c * (above + 1) + Math.min(u, above)) * (levels[j] + 1) + Math.min(v, levels[j])];
  };
  const gaps = x.some(Number.isNaN);
  return s.map((start, c) => {
    if (gaps) return start + incomplete(x, c, levels, parents, order, face);
    let sum = 0;
    for (let j = 0; j < x.length; j++) sum += face(j, c, parents[j] < 0 ? 0 : x[parents[j]], x[j]);
    return start + sum;
  });
}
/** Missing cells are summed over, from the leaves to the root. */
function incomplete(x, c, levels, parents, order, face) {
  const below = Array.from(levels, (count) => new Array(count + 1).fill(0));
  const speaks = x.map((value) => !Number.isNaN(value));
  const message = (j, u) => {
    if (!Number.isNaN(x[j])) return face(j, c, u, x[j]) + below[j][Math.min(x[j], levels[j])];
    return logSumExp(Array.from({ length: levels[j] }, (_, v) => face(j, c, u, v) + below[j][v]));
  };
  let sum = 0;
  for (let step = x.length - 1; step >= 0; step--) {
    const j = order[step];
    if (!speaks[j]) continue;
    const parent = parents[j];
    if (parent < 0) {
      sum += message(j, 0);
      continue;
    }
    speaks[parent] = true;
    const known = !Number.isNaN(x[parent]);
    const [from, to] = known ? [Math.min(x[parent], levels[parent]), 0] : [0, levels[parent] - 1];
    for (let u = from; u <= Math.max(from, to); u++) below[parent][u] += message(j, u);
  }
  return sum;
}`,
    'logSumExp',
  ),

  aode: piece(
    `
function aode(s, x, t) {
  const { levels, offsets, frequency, weights } = t;
  const [features, width] = [levels.length, t.width];
  const present = [];
  const level = x.map((value, j) => {
    if (!Number.isNaN(value)) present.push(j);
    return value < levels[j] ? offsets[j] + value : -1;
  });
  const frequent = (u) => frequency[u] > 0 && frequency[u] >= t.minimumFrequency;
  const levelsFor = (j) =>
    Number.isNaN(x[j]) ? Array.from({ length: levels[j] }, (_, v) => offsets[j] + v) : [level[j]];
  const qualified = x.map((_, j) => j).filter((j) => levelsFor(j).some((u) => u >= 0 && frequent(u)));
  const all = qualified.reduce((sum, j) => sum + weights[j], 0);
  const share = (j) => (all > 0 ? weights[j] / all : 1 / qualified.length);
  const heard = qualified.filter((j) => share(j) > 0);
  return s.map((start, c) => {
    const alone = (j) => (level[j] < 0 ? t.unseenAlone[c * features + j] : t.alone[c * width + level[j]]);
    if (heard.length === 0) return start + present.reduce((sum, j) => sum + alone(j), t.logPrior[c]);
    const terms = heard.flatMap((i) =>
      levelsFor(i).map((u) => {
        const at = c * width + u;
        let sum = Math.log(share(i)) + t.joint[at];
        for (const j of present) {
          if (j !== i) sum += level[j] < 0 ? t.unseen[at * features + j] : t.given[at * width + level[j]];
        }
        return sum;
      }),
    );
    return start + logSumExp(terms);
  });
}`,
    'logSumExp',
  ),
};
