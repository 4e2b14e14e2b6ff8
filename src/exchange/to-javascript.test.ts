import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { launch } from '../../test/browser.ts';
import { load } from '../../test/exchange/javascript.ts';
import { chosen, drawn, labelsOf, type Subject, subjects, writtenCells } from '../../test/exchange-subjects.ts';
import { CountVectorizer, MultinomialNB, makePipeline } from '../index.ts';
import { toJavaScript } from './to-javascript.ts';

/** Expects the module of a model to say what the model says, to the last bit. */
async function expectSame(subject: Subject, seed: number): Promise<void> {
  const { model, rows } = drawn(subject, seed);
  const module = await load(toJavaScript(model).code);
  expect(module.classes).toEqual(model.classes);
  const here = model.predictLogProba(rows as never, { strict: false });
  const labels = labelsOf(model, here);
  rows.forEach((row, i) => {
    const there = module.predictLogProba(row);
    expect(there).toEqual(Array.from(here.row(i)));
    expect(module.predictProba(row)).toEqual(there.map(Math.exp));
    expect(module.predict(row)).toBe(labels[i]);
  });
}

describe('an exported module answers as the model it is of, to the last bit', () => {
  test.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), (seed) => expectSame(subject, seed)),
      { numRuns: 6 },
    );
  });

  test.each([...chosen, ...writtenCells].map((subject) => [subject.name, subject] as const))('%s', (_, subject) =>
    expectSame(subject, 3),
  );
});

const spam = () =>
  makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['</script>', 'pills'], ['</script>', '__proto__']);

test('Chromium answers as Node does, to the last bit, inside a page', async () => {
  const cases = [...subjects, ...chosen.slice(-1)].map((subject) => drawn(subject, 7));
  const codes = cases.map(({ model }) => toJavaScript(model).code);
  const server = createServer((request, response) => {
    const k = /^\/(\d+)\.js$/.exec(request.url ?? '')?.[1];
    response.setHeader('content-type', k ? 'text/javascript' : 'text/html');
    response.end(
      k
        ? codes[Number(k)]
        : `<!doctype html><script type="module">${toJavaScript(spam()).code}\nglobalThis.inline = predict;</script>`,
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await page.evaluate('globalThis.inline("cheap pills")')).toBe(spam().predict(['cheap pills'])[0]);
    for (const [k, { model, rows }] of cases.entries()) {
      // JSON has no NaN and no undefined: both are a missing cell here.
      const list = `JSON.parse(${JSON.stringify(JSON.stringify(rows))})`; // a literal would make __proto__ a prototype
      const asked = `import('/${k}.js').then(({ predictLogProba }) => ${list}.map((row) => predictLogProba(row).map(String)))`;
      const there = await page.evaluate<string[][]>(asked);
      const here = model.predictLogProba(rows as never, { strict: false });
      expect(there.flat()).toEqual(Array.from(here.data, String));
    }
  } finally {
    await browser.close();
    server.close();
  }
});
