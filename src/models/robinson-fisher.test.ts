import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { RobinsonFisherFilter } from '../estimators/robinson-fisher-filter.ts';

// two spam messages and four of ham; words: cash (spam only), hello (both), meeting (ham only), and one never seen
const X = [
  { cash: 1, hello: 1, meeting: 0, moon: 0 },
  { cash: 3, hello: 0, meeting: 0, moon: 0 },
  { cash: 0, hello: 1, meeting: 1, moon: 0 },
  { cash: 0, hello: 1, meeting: 0, moon: 0 },
  { cash: 0, hello: 0, meeting: 2, moon: 0 },
  { cash: 0, hello: 0, meeting: 1, moon: 0 },
];
const y = ['spam', 'spam', 'ham', 'ham', 'ham', 'ham'];
const message = (words: Partial<(typeof X)[0]>) => ({ cash: 0, hello: 0, meeting: 0, moon: 0, ...words });

/** P(χ²₂ₘ > 2t) = e⁻ᵗ Σ{k < m} tᵏ/k! */
function tail(m: number, t: number): number {
  let [term, sum] = [1, 0];
  for (let k = 0; k < m; k++) {
    sum += term;
    term *= t / (k + 1);
  }
  return Math.exp(-t) * sum;
}

describe('tokens by hand', () => {
  test('bogofilter: f = (s x + n p)/(s + n) with s = 0.0178 and x = 0.52', () => {
    const [s, x] = [0.0178, 0.52];
    const f = new RobinsonFisherFilter().fit(X, y).tokenProbability;
    const hello = 1 / 2 / (1 / 2 + 2 / 4); // in one of two spam messages and two of four of ham
    expectClose(f, [(s * x + 2) / (s + 2), (s * x + 3 * hello) / (s + 3), (s * x) / (s + 3), x], 1e-15);
    expectClose(f.slice(0, 1), [0.9957656854], 1e-9);
  });

  test('SpamAssassin: s = 0.030 and x = 0.538', () => {
    const f = new RobinsonFisherFilter({ preset: 'spamassassin' }).fit(X, y).tokenProbability;
    expectClose(f, [2.01614 / 2.03, 1.51614 / 3.03, 0.01614 / 3.03, 0.538], 1e-15);
  });

  test('given settings come before those of the preset', () => {
    const f = new RobinsonFisherFilter({ strength: 1, assumed: 0.5 }).fit(X, y).tokenProbability;
    expectClose(f, [2.5 / 3, 0.5, 0.125, 0.5], 1e-15);
  });
});

describe('messages by hand', () => {
  const filter = new RobinsonFisherFilter().fit(X, y);
  const [cash, , meeting] = filter.tokenProbability;

  test('one informative token: S = f and H = 1 − f, so the indicator is f', () => {
    const [{ indicator, spam, ham, label, tokens }] = filter.filter([message({ cash: 1, hello: 1, moon: 1 })]);
    expectClose([indicator, spam, ham], [cash, cash, 1 - cash], 1e-12);
    expect(label).toBe('spam');
    expect(tokens).toEqual([{ feature: 'cash', probability: cash }]);
  });

  test('two tokens that disagree leave the filter unsure', () => {
    const [{ indicator, spam, ham, label }] = filter.filter([message({ cash: 1, meeting: 5 })]);
    const against = (f: number, g: number) => tail(2, -Math.log(f) - Math.log(g));
    const [S, H] = [1 - against(1 - cash, 1 - meeting), 1 - against(cash, meeting)];
    expectClose([spam, ham, indicator], [S, H, (1 + S - H) / 2], 1e-12);
    expect(label).toBe(null);
    expect(spam > 0.9 && ham > 0.9).toBe(true);
  });

  test('no informative token gives one half, whatever the class sizes', () => {
    const rows = [message({}), message({ hello: 1, moon: 2 })];
    expect([...filter.predictProba(rows).data]).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(filter.filter(rows)[1]).toMatchObject({ label: null, spam: 0, ham: 0, tokens: [] });
  });

  test('cut-offs of bogofilter: ham up to 0.45, spam from 0.99', () => {
    const rows = [message({ meeting: 1 }), message({ cash: 1 })];
    expect(filter.filter(rows).map(({ label }) => label)).toEqual(['ham', 'spam']);
    const strict = new RobinsonFisherFilter({ hamCutoff: 0, spamCutoff: 1 }).fit(X, y);
    expect(strict.filter(rows).map(({ label }) => label)).toEqual([null, null]);
    expect(strict.predict(rows)).toEqual(['ham', 'spam']);
  });

  test('the log-probabilities of both sides are the logarithms of I and 1 − I', () => {
    const row = [message({ meeting: 1 })];
    const [{ indicator }] = filter.filter(row);
    expectClose(filter.predictJointLogProba(row).data, [Math.log(1 - indicator), Math.log(indicator)], 1e-12);
    const many = Array.from({ length: 100 }, () => 1);
    const wide = new RobinsonFisherFilter().fit([many, many.map(() => 0)], ['spam', 'ham']);
    const [{ indicator: sure }] = wide.filter([many]);
    expect(sure).toBe(1);
    expect(wide.predictJointLogProba([many]).data[0]).toBeGreaterThan(-500); // 1 − I is small, not zero
  });

  test('only the most informative tokens count', () => {
    const one = new RobinsonFisherFilter({ tokens: 1, minDeviation: 0 }).fit(X, y);
    const [{ tokens }] = one.filter([message({ cash: 1, hello: 1, meeting: 1 })]);
    expect(tokens.map(({ feature }) => feature)).toEqual(['meeting']); // 0.4969 from one half, cash 0.4958
  });
});

describe('laws', () => {
  check.prop([fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 8 })])(
    'with x = ½, exchanging the classes exchanges the sides',
    (bits) => {
      const rows = bits.map((row) => row.map(Number));
      const labels = rows.map((_, i) => i % 2 === 0);
      const options = { assumed: 0.5, minDeviation: 0.1 };
      const [a, b] = [labels, labels.map((label) => !label)].map((truth) =>
        new RobinsonFisherFilter(options).fit(rows, truth).filter(rows),
      );
      a.forEach((verdict, i) => {
        expectClose([verdict.indicator, verdict.spam], [1 - b[i].indicator, b[i].ham], 1e-12, 1);
      });
    },
  );

  test('a third class is refused, whether it comes at once or later', () => {
    const refused = { code: 'E_CLASS_UNKNOWN', details: { limit: 2, actual: 3 } };
    expect(refusalOf(() => new RobinsonFisherFilter().fit([[1], [1], [1]], ['a', 'b', 'c']))).toMatchObject(refused);
    const one = new RobinsonFisherFilter().fit([[1], [0]], ['a', 'b']);
    const other = new RobinsonFisherFilter().fit([[1], [0]], ['a', 'c']);
    expect(refusalOf(() => one.merge(other))).toMatchObject(refused);
  });

  test('drawn messages have the tokens of their class', () => {
    const { X: drawn } = new RobinsonFisherFilter().fit(X, y).sample(2000, { class: 'ham', seed: 4 });
    const shares = [0, 1, 2, 3].map((j) => drawn.toArray().reduce((sum, row) => sum + row[j], 0) / 2000);
    expect(shares[0]).toBe(0);
    expect(Math.abs(shares[1] - 0.5)).toBeLessThan(0.04);
    expect(Math.abs(shares[2] - 0.75)).toBeLessThan(0.04);
  });
});
