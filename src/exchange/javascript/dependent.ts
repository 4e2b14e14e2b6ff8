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

  places: piece(`
function places(keys) {
  return new Map(Array.from(keys, (key, k) => [key, k]));
}`),

  contexts: piece(
    `
function contexts(s, x, levels, features, most) {
  const classes = s.length;
  const logShares = ([feature, parents, depths], value, row) => {
    const own = levels[feature];
    let [shares, context] = [Array.from(s, () => 1 / own), 0];
    for (let d = 0; d < depths.length; d++) {
      const [m, known, weights, values, all] = depths[d];
      if (d > 0) {
        const [level, radix] = [row[parents[d - 1]], levels[parents[d - 1]]];
        context = level < radix ? known.get(context * radix + level) : undefined;
        if (context === undefined) break;
      }
      const [from, at] = [context * classes, value < own ? values.get(context * own + value) : undefined];
      shares = shares.map((share, c) => {
        if (at !== undefined) return all[at * classes + c];
        return weights[from + c] > 0 ? (m * share) / (weights[from + c] + m) : share;
      });
    }
    return shares.map(Math.log);
  };
  const needed = new Set();
  for (let step = features.length - 1; step >= 0; step--) {
    const [feature, parents] = features[step];
    if (Number.isNaN(x[feature]) && !needed.has(feature)) continue;
    for (const parent of parents) if (Number.isNaN(x[parent])) needed.add(parent);
  }
  let combinations = 1;
  const fits = ([j]) => needed.has(j) && (combinations *= levels[j]) <= most;
  const open = new Set(features.filter(fits).map(([j]) => j));
  if (open.size === 0) {
    for (const own of features) {
      if (Number.isNaN(x[own[0]])) continue;
      const logs = logShares(own, x[own[0]], x);
      for (let c = 0; c < classes; c++) s[c] += logs[c];
    }
    return s;
  }
  const found = [];
  const walk = (step, row, sums) => {
    if (step === features.length) return void found.push(sums);
    const [j] = features[step];
    const levelsFor = (own) => (own.has(j) ? Array.from({ length: levels[j] }, (_, v) => v) : []);
    const values = Number.isNaN(x[j]) ? levelsFor(open) : [x[j]];
    if (values.length === 0) walk(step + 1, row, sums);
    for (const value of values) {
      const next = Array.from(row);
      next[j] = value;
      const logs = logShares(features[step], value, row);
      walk(step + 1, next, sums.map((sum, c) => sum + logs[c]));
    }
  };
  walk(0, x, Array.from(s, () => 0));
  return s.map((start, c) => start + logSumExp(found.map((sums) => sums[c])));
}`,
    'logSumExp',
  ),
};
