import { readFileSync } from 'node:fs';
import { GaussianNB, OrdinalEncoder, parseCsv, recordsOf, trainTestSplit } from 'polya';
import { box, colours, picture, type Say, text } from './svg.ts';

/** Lesson 5: the row held out by each of ten splits, and whether it was classified correctly. */
export function careers(say: Say): string {
  const file = new URL('../../examples/data/career_data.csv', import.meta.url);
  const table = recordsOf(parseCsv(readFileSync(file)));
  const X = new OrdinalEncoder().fitTransform(table.map((row) => [row['985'], row.education, row.skill])).toArray();
  const y = table.map(({ enrolled }) => enrolled === 'Yes');
  const title = say(
    'Ten splits of ten rows: accuracy depends on the one held-out row',
    '十行数据的十种划分：准确率全看留出的那一行',
  );
  const cells = table.flatMap((_, seed) => {
    const order = table.map((_row, i) => i);
    const [trainX, testX, trainY, testY, , [heldOut]] = trainTestSplit(X, y, order, {
      testSize: 0.1,
      randomState: seed,
    });
    const right = new GaussianNB().fit(trainX, trainY).predict(testX)[0] === testY[0];
    const left = 110 + 60 * seed;
    return [
      ...table.map((_row, i) =>
        box(left, 56 + 14 * i, 44, 11, i === heldOut ? colours[right ? 2 : 1] : '#e6ebf0', 'rx="2"'),
      ),
      text(left + 22, 216, right ? '100 %' : '0 %', { anchor: 'middle', bold: true, fill: colours[right ? 2 : 1] }),
      text(left + 22, 236, String(seed), { anchor: 'middle', size: 12 }),
    ];
  });
  return picture(title, 252, [
    text(24, 32, title, { bold: true }),
    text(24, 66, say('row 1', '第 1 行'), { size: 12 }),
    text(24, 193, say('row 10', '第 10 行'), { size: 12 }),
    text(24, 216, say('accuracy', '准确率'), { size: 12 }),
    text(24, 236, say('seed', '随机种子'), { size: 12 }),
    ...cells,
  ]);
}
