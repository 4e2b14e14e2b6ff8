/**
 * Compares the accuracy of DirichletMultinomialNB and DiscriminativeMultinomialNB on 20 Newsgroups with a second
 * program, within 0.003. `npx tsx bench/news-dcm.ts [folder]`, or the folder in POLYA_DATA. Prints one JSON line per
 * setting. DMNB depends on the order of the rows, and the recorded figures are those of one unknown order: besides the
 * default seed, which is compared, it prints mean and standard deviation over ten orders. One pass varies by more than
 * the tolerance.
 */
import { DirichletMultinomialNB } from '../src/estimators/dirichlet-multinomial-nb.ts';
import { DiscriminativeMultinomialNB } from '../src/estimators/discriminative-multinomial-nb.ts';
import { type Newsgroups, readNewsgroups } from './newsgroups.ts';

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';
const urn = (options: ConstructorParameters<typeof DirichletMultinomialNB>[0]) => () =>
  new DirichletMultinomialNB(options);
const dmnb = (options: ConstructorParameters<typeof DiscriminativeMultinomialNB>[0]) => () =>
  new DiscriminativeMultinomialNB(options);

const settings: [
  string,
  () => DirichletMultinomialNB | DiscriminativeMultinomialNB,
  [raw: number, stripped: number]?,
][] = [
  ['DCM, .01 × smallest', urn({ smoothing: 'floor' }), [0.8109, 0.6506]],
  ['DCM, 5 % background', urn({}), [0.8151, 0.6599]],
  ['DCM by fixed point', urn({ method: 'fixed-point' }), [0.8151, 0.6599]],
  ['DCM by leaving out', urn({ method: 'leave-one-out' })],
  ['EDCM, .01 × smallest', urn({ method: 'edcm', smoothing: 'floor' }), [0.8042, 0.6422]],
  [
    'complement EDCM, smallest',
    urn({ method: 'edcm', complement: true, smoothing: 'floor', epsilon: 1 }),
    [0.8411, 0.6877],
  ],
  ['complement DCM, 5 % background', urn({ complement: true })],
  ['DMNB, 1 pass', dmnb({}), [0.8314, 0.6637]],
  ['DMNB, 5 passes', dmnb({ passes: 5 }), [0.8456, 0.6807]],
];

const round = (value: number) => Number(value.toFixed(4));

/** Mean and standard deviation of the accuracy over ten orders of the rows. */
function overOrders(model: DiscriminativeMultinomialNB, { X, y, testX, testY }: Newsgroups) {
  const scores = Array.from({ length: 10 }, (_, seed) =>
    new DiscriminativeMultinomialNB({ ...model.getParams(), seed }).fit(X, y).score(testX, testY),
  );
  const mean = scores.reduce((sum, value) => sum + value, 0) / scores.length;
  const spread = scores.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (scores.length - 1);
  return { mean: round(mean), deviation: round(Math.sqrt(spread)) };
}

let failures = 0;
for (const kind of ['raw', 'stripped'] as const) {
  const { X, y, testX, testY } = readNewsgroups(folder, kind);
  for (const [setting, make, expected] of settings) {
    const start = process.cpuUsage();
    const model = make().fit(X, y);
    const fit = process.cpuUsage(start);
    const accuracy = model.score(testX, testY);
    const wanted = expected?.[kind === 'raw' ? 0 : 1];
    const holds = wanted === undefined || Math.abs(accuracy - wanted) <= 0.003;
    if (!holds) failures++;
    const milliseconds = Math.round((fit.user + fit.system) / 1000);
    const orders = model instanceof DiscriminativeMultinomialNB ? overOrders(model, { X, y, testX, testY }) : {};
    console.log(
      JSON.stringify({ kind, setting, accuracy: round(accuracy), wanted, holds, fit: milliseconds, ...orders }),
    );
  }
}
process.exitCode = failures > 0 ? 1 : 0;
