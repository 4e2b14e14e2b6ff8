import { expect, test } from 'vitest';
import {
  BernoulliNB,
  ComplementNB,
  CountVectorizer,
  GaussianNB,
  MultinomialNB,
  makePipeline,
} from '../../src/index.ts';
import { type Bench, column, expectSameCounts, refusal } from './law-tools.ts';
import type { Cell, TestTable } from './load.ts';

/** Words equal those of the library, or are an error. */
export function wordLaws({ learned, under }: Bench): void {
  test('words of texts in many scripts, to the bit', async () => {
    const texts = [
      'CAFFÈ naïve Straße STRASSE ΣΊΣΥΦΟΣ ὈΔΥΣΣΕΎΣ İstanbul ISPARTA',
      'the quick brown fox, the lazy dog; the end_of_line 42 x 7',
      '日本語 のテキスト 中文 ไทย हिन्दी עברית العربية',
      'emoji 🎉 are no words 👩‍👩‍👧 but ﬁ and ǅ are Ω',
      "it's a \\w+ trap' ; DROP TABLE -- ' \" ` $1 $" + '{x} %',
      'ᲐᲑᲒ Ꭰꭰ 𐐀𐐨 Ⅷ ½ ² ٣',
      '',
      'a b c the the the',
    ];
    const rows = Array.from({ length: 64 }, (_, i): Cell[] => [
      ['spam', 'ham', '🎉'][i % 3],
      `${texts[i % texts.length]} ${texts[(i * 5) % texts.length]} alone${i}`,
    ]);
    const table: TestTable = {
      columns: [
        ['label', 'text'],
        ['body', 'text'],
      ],
      rows,
    }; // prettier-ignore
    const [X, y] = [column(table, 'body') as string[], column(table, 'label') as string[]];
    for (const options of [
      {},
      { lowercase: false, tokenPattern: '(?u)\\b\\w+\\b' },
      { ngramRange: [1, 2], stopWords: ['the', "it's"], minDf: 3 },
      { binary: true, ngramRange: [2, 3], maxFeatures: 20 },
      { vocabulary: ['the', 'straße', 'zebra'] },
      { minDf: 0.1, maxDf: 0.9 },
      { analyzer: 'char', ngramRange: [1, 2] },
      { analyzer: 'char', ngramRange: [3, 3], lowercase: false },
      { analyzer: 'char_wb', ngramRange: [2, 4], minDf: 2 },
      { analyzer: 'char_wb', ngramRange: [5, 6] },
    ] as const) {
      for (const make of [() => new MultinomialNB(), () => new BernoulliNB()]) {
        const pipeline = () => makePipeline(new CountVectorizer(options as never), make());
        const inEngine = await learned(pipeline(), table, 'label', ['body']);
        expectSameCounts(inEngine as never, pipeline().fit(X, y), JSON.stringify(options));
      }
    }
  });

  test("words by script, where every script has spaces: the tokenizer 'auto'", async () => {
    const texts = [
      'हिन्दी में लिखा',
      'עברית וגם العربية',
      'naïve CAFFÈ e\u0301te\u0301',
      'русский Ёж x 1 42',
      'ΟΔΟΣ ὁδός',
    ];
    const rows = Array.from({ length: 25 }, (_, i): Cell[] => [i % 2, `${texts[i % 5]} ${texts[(i * 3) % 5]}`]);
    const table: TestTable = {
      columns: [
        ['y', 'integer'],
        ['t', 'text'],
      ],
      rows,
    }; // prettier-ignore
    const make = () => makePipeline(new CountVectorizer({ tokenizer: 'auto' }), new ComplementNB());
    const [X, y] = [column(table, 't') as string[], column(table, 'y') as number[]];
    expectSameCounts(await learned(make(), table, 'y', ['t']), make().fit(X, y));
  });

  test('options that an engine would count differently are errors before anything is counted', async () => {
    const table: TestTable = {
      columns: [
        ['y', 'text'],
        ['t', 'text'],
      ],
      rows: [
        ['a', '日本語'],
        ['b', 'x y'],
      ],
    }; // prettier-ignore
    const text = (options: object) =>
      learned(makePipeline(new CountVectorizer(options), new MultinomialNB()), table, 'y', ['t']);
    const isHere = under().engine.dialect === 'duckdb'; // its texts are counted by the library itself
    for (const options of [{ tokenizer: 'auto' }, { stripAccents: 'unicode' }, { tokenPattern: '[a-z]+' }])
      expect((await refusal(text(options))).code).toBe(isHere ? 'accepted' : 'E_ENGINE_CAPABILITY');
    expect((await refusal(learned(new GaussianNB({ reproducible: true }), table, 'y', ['t']))).code).toBe(
      'E_ENGINE_CAPABILITY',
    );
    expect((await refusal(learned(new GaussianNB(), table, 'y', ['t']))).code).toBe('E_TYPE');
  });
}
