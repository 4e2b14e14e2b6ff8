import { expect, test } from 'vitest';
import type { SqlEngine } from '../engines/engine.ts';
import type { Frame } from '../engines/sql/frame.ts';
import type { TextDialect } from './terms.ts';
import { wordQuery } from './text-query.ts';

const rules = {
  unit: 'word',
  changes: [(text: string) => `lower(${text})`],
  pattern: "'[a-z]{2,}'",
  stopWords: ["it's"],
  ngrams: [1, 2],
} as const;

const queryOf = (dialect: TextDialect, least: number, weight?: string): string => {
  const frame: Frame = { engine: { dialect } as SqlEngine, relation: 'mail', label: 'label', weight };
  return wordQuery(frame, 'body', rules, { least, most: Infinity, limit: null, by: 'tf' });
};

/**
 * The SQL of each engine's query; the law tests on real engines check that it runs and gives the same counts as in
 * memory.
 */
const parts: Readonly<Record<TextDialect, readonly string[]>> = {
  clickhouse: [
    'extractAll(',
    'arrayFilter(',
    "has(['it\\'s'], t)",
    'arrayEnumerateUniq(',
    'HAVING sum(`polya_df`) >= 3e0',
  ],
  postgres: ['regexp_matches(', 'CROSS JOIN LATERAL', "t NOT IN ('it''s')", 'ORDER BY "polya_term" COLLATE "C"'],
  bigquery: ['REGEXP_EXTRACT_ALL(', 'WITH OFFSET AS i', "t NOT IN ('it\\'s')", '>= 3e0'],
  trino: ['regexp_extract_all(', 'ngrams(', 'CROSS JOIN LATERAL', "t NOT IN ('it''s')", '>= 3e0'],
  spark: ['regexp_extract_all(', 'sort_array(', 'LATERAL VIEW explode(', "t NOT IN ('it\\'s')", '>= 3e0D'],
};

test.each(Object.keys(parts) as TextDialect[])(
  '%s: words, stop words, n-grams, pruning inside the engine',
  (dialect) => {
    const query = queryOf(dialect, 3);
    for (const part of parts[dialect]) expect(query).toContain(part);
    expect(query.match(/\(/g)?.length).toBe(query.match(/\)/g)?.length);
    expect(queryOf(dialect, 1)).not.toMatch(/HAVING|OVER/);
    expect(queryOf(dialect, 1, 'w')).toMatch(/polya_w/);
  },
);
