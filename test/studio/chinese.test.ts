import { expect, test } from 'vitest';
import { type ErrorCode, refusals } from '../../src/errors.ts';
import { library } from '../../studio/texts/zh/library.ts';

/** Two English words in a row: a sentence that was not translated. */
const ENGLISH = /[a-z]{3,} [a-z]{3,}/;

const said = (code: string, sentence: string, details = {}) => library.refusal({ code, sentence, details });

test('every error code is shown in Chinese, with its position and without the English sentence', () => {
  for (const code of Object.keys(refusals) as ErrorCode[]) {
    const text = said(code, 'something in English went wrong', { line: 3, column: 'age', limit: 7, classes: ['a'] });
    expect(text).not.toMatch(ENGLISH);
    expect(text).toMatch(/（第 3 行，“age”列，上限 7）$/);
  }
});

test('errors of the studio itself are translated in full', () => {
  const cases = [
    ['E_EMPTY_INPUT', '"a.csv" is empty', '“a.csv”是空文件'],
    [
      'E_LIMIT',
      '"a.csv" has 300 columns and this page shows up to 200; use the command: polya fit',
      '页面最多显示 200 列',
    ],
    ['E_CLASSES_TOO_FEW', 'column "y" has fewer than two labels; choose another target', '“y”列的标签少于两个'],
    ['E_NOT_FOUND', 'this run no longer exists; train again', '这次训练已不存在'],
    ['E_CONFLICT', 'PMML cannot represent an ensemble', 'PMML 无法表示这个模型'],
  ] as const;
  for (const [code, sentence, expected] of cases) expect(said(code, sentence)).toContain(expected);
});

test('reasons for malformed rows are translated', () => {
  expect(library.badRow('the row has 3 cells, the table 5')).toBe('该行有 3 个单元格，应有 5 个');
  expect(library.badRow('a comma or "]" is expected, not "x"')).toBe('不是有效的 JSON');
  expect(library.badRow('some reason that has no translation yet')).toContain('不符合文件格式');
  const details = { line: 2, column: 7, fault: 'the quote opened here never closes' };
  expect(said('E_FORMAT', 'line 2, column 7: the quote opened here never closes', details)).toBe(
    '引号没有闭合（第 2 行，第 7 列）',
  );
});
