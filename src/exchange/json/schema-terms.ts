import { flag, list, numbers, orNull, place, record, ref, type Schema, whole } from './schema-words.ts';

const of = (op: string) => ({ op: { const: op }, vector: place });

const marginals = orNull(
  record(
    { means: numbers(2), covariances: list(orNull(numbers(2))), start: numbers() },
    'Where a cell is missing, the sum is start[c] + ln N(x; means[c], covariances[c]) over the others; one covariance serves all classes.',
  ),
);

/** What a vector x adds to the score of each class c; a missing number adds nothing unless told otherwise. */
export const termSchemas: readonly Schema[] = [
  record({ ...of('linear'), weights: numbers(2) }, 'Σ x[j] weights[j][c] over x[j] ≠ 0; 0 · ∞ is 0.'),
  record(
    { ...of('coins'), logOdds: numbers(2), certain: numbers() },
    'Σ logOdds[c][j] over x[j] ≠ 0; a missing x adds ln(1 + e^logOdds). Odds of Infinity are left out, and unless certain[c] of them are ' +
      'heads or missing the class is impossible.',
  ),
  record(
    { ...of('table'), faces: numbers(3) },
    'Σ faces[j][x[j]][c]; the last face of each feature is for unknown levels.',
  ),
  record(
    { ...of('bells'), mean: numbers(2), variance: numbers(2), df: numbers(2), logPeak: numbers(2) },
    'Σ logPeak[c][j] − ½ (x − mean)² / variance; with a finite df, logPeak − ½ (df + 1) ln(1 + (x − mean)² / variance / df).',
  ),
  record(
    { ...of('poisson'), cells: numbers(2), exposures: orNull(numbers(2)) },
    'Over x[j] ≠ 0: Σ x cells[j][c] − ln x!, where cells are ln λ and a missing x adds λ. With exposures B and cells A: ' +
      'ln Γ(A + x)/Γ(A) − x ln(1 + B) − ln x!, and a missing x adds A ln(1 + 1/B); without A or B an event is impossible.',
  ),
  record(
    {
      ...of('kernels'),
      kernels: list(
        list(orNull(record({ points: numbers(), weights: numbers(), bandwidth: ref('number'), total: ref('number') }))),
      ),
    },
    'Σ ln (1/total) Σ weights N(x; points, bandwidth²) with kernels[c][j].',
  ),
  record(
    { ...of('planes'), rows: numbers(2), origin: numbers(), centres: numbers(2), marginals },
    'Σ m (z − ½ m) with z = rows (x − origin), m = centres[c]; where a cell is missing, by the marginals.',
  ),
  record(
    {
      ...of('quadrics'),
      forms: list(orNull(record({ rows: numbers(2), mean: numbers(), centre: orNull(numbers()) }))),
      marginals,
    },
    '−½ ‖rows (x − mean) − centre‖² with forms[c]; a class without a form is impossible. Where a cell is missing, by the marginals.',
  ),
  record(
    { ...of('shift'), weights: numbers(), constant: ref('number') },
    'Σ x weights − constant, for all classes alike.',
  ),
  record(
    { ...of('urns'), alpha: numbers(2), precision: numbers(), edcm: list(flag), complement: flag },
    'With n = Σ x: ln n! − Σ ln x! − ln Γ(s + n)/Γ(s) + Σ ln Γ(α + x)/Γ(α), α = alpha[c][j], s = precision[c]; with edcm[c] Σ ln x stands for ' +
      'Σ ln x! and ln α for the last. With `complement` it is subtracted.',
  ),
  record(
    { ...of('tree'), levels: list(place), parents: list(whole), dice: numbers(4) },
    'Σ dice[j][c][u][v] with v = x[j] and u = x[parents[j]], u = 0 where the parent is −1; the last level of each is for unknown ones. ' +
      'Missing cells are summed over along the tree.',
  ),
  record(
    {
      ...of('aode'),
      levels: list(place),
      logPrior: numbers(),
      frequency: numbers(),
      weights: numbers(),
      minimumFrequency: ref('number'),
      logJoint: numbers(2),
      logGiven: numbers(3),
      logUnseen: numbers(3),
      logAlone: numbers(2),
      logUnseenAlone: numbers(2),
    },
    'ln Σᵢ Wᵢ exp(logJoint[c][uᵢ] + Σ{j ≠ i} logGiven[c][uᵢ][uⱼ]) over features whose level was seen minimumFrequency times and at all, W ' +
      'normalised; a missing feature of which some level was is summed over all its levels; levels u are numbered over all features, and logUnseen[c][uᵢ][j] is for unknown ones. Where none qualifies, ' +
      'logPrior[c] + Σ logAlone[c][uⱼ].',
  ),
  record(
    {
      ...of('contexts'),
      levels: list(place),
      features: list(
        record({
          feature: place,
          parents: list(place),
          depths: list(
            record({
              concentration: ref('number'),
              contexts: list(place),
              weights: numbers(2),
              values: list(place),
              shares: numbers(2),
            }),
            1,
          ),
        }),
      ),
      mostCombinations: place,
    },
    'Σ ln p over the features that are present, parents first. p is 1 / levels[feature] at first. At depth d the context is the place of ' +
      '(context above · levels of parent d + level of parent d) in contexts, 0 at depth 0; one that is not there, an unknown level and a ' +
      'missing parent end the walk. p becomes shares[e][c], e the place of (context · levels of the feature + its level) in values; where ' +
      'there is none, concentration · p / (weights[context][c] + concentration) for classes with a weight. Missing features that present ' +
      'ones depend on are summed over, as many from the first as have at most mostCombinations combinations of levels.',
  ),
];
