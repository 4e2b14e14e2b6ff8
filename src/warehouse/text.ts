import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import { quoteIdentifier } from '../engines/sql/dialect.ts';
import { ask, column, type Frame, partOf } from '../engines/sql/frame.ts';
import { byClass, presentOf, sumOf } from '../engines/sql/grouped.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { analysisOf } from '../exchange/plan/text.ts';
import {
  characterPattern,
  collapsed,
  holdsUnspaced,
  lowerSteps,
  piecePattern,
  requirePlainText,
  type WordRule,
  wordPattern,
  wordRule,
} from '../exchange/sql/tokens.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { type Classes, ordered, sortLabels } from './classes.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import type { Opened } from './source.ts';
import type { TermRules } from './terms.ts';
import { wordQuery } from './text-query.ts';
import { type CountedWords, readsTextsHere, refuseAbsent, streamWords } from './text-stream.ts';
import { type Lexicon, readWords, vocabularyFrom } from './vocabulary.ts';

/** A vectorizer and a classifier with their counts, before either is changed. */
export interface CountedText {
  readonly vectorizer: CountVectorizer;
  readonly found: EngineCounts;
}

/** How the engine finds the same terms as the vectorizer; throws E_ENGINE_CAPABILITY if it cannot. */
export function rulesOf(
  engine: SqlEngine,
  vectorizer: CountVectorizer,
): TermRules & { readonly rule: WordRule | undefined } {
  const { dialect } = engine;
  if (dialect === 'snowflake')
    refuse(
      'E_ENGINE_CAPABILITY',
      'texts are not counted in Snowflake; export its table to Parquet, and count it with DuckDB',
    );
  const analysis = analysisOf(vectorizer.getParams());
  const { unit, stopWords, ngrams } = analysis;
  requirePlainText(analysis);
  const rule = unit === 'word' ? wordRule(analysis, 'null') : undefined;
  const patterns = { char: characterPattern, char_wb: piecePattern };
  return {
    unit,
    rule,
    changes: [
      ...(analysis.lowercase ? lowerSteps(dialect) : []),
      ...(unit === 'char' ? [(text: string) => collapsed(dialect, text)] : []),
    ],
    pattern: unit === 'word' ? wordPattern(dialect, rule as WordRule) : patterns[unit](dialect),
    stopWords,
    ngrams,
  };
}

/** Throws for a step that does not use term counts as they are. */
function requireTerms(classifier: AnyClassifier): 'tf' | 'df' {
  const { binarize } = classifier.getParams() as { binarize?: number | null };
  const { name } = classifier.model.statistic;
  if (name !== 'sums') {
    refuse(
      'E_ENGINE_CAPABILITY',
      `an engine counts words for multinomial, complement, Bernoulli and Poisson models, not for a ${classifier.kind}`,
      {
        estimator: classifier.kind,
      },
    );
  }
  if (classifier.kind !== 'BernoulliNB') return 'tf';
  if (binarize !== null && binarize !== undefined && binarize < 1) return 'df';
  return refuse(
    'E_ENGINE_CAPABILITY',
    'an engine counts the documents that contain a word: binarize has to be below 1',
    {
      name: 'binarize',
    },
  );
}

/** The text column. */
function textColumn(features: readonly EngineColumn[]): EngineColumn {
  const texts = features.filter(({ kind }) => kind === 'text');
  if (features.length === 1 && texts.length === 1) return texts[0];
  const [first] = features;
  if (features.length === 1) {
    refuse('E_TYPE', `column ${show(first.name)} is of type ${first.type}, and a text is expected`, {
      column: first.name,
    });
  }
  return refuse('E_PARAM', 'a text pipeline reads one column: name it with features', {
    name: 'features',
    columns: features.map(({ name }) => name).slice(0, 100),
  });
}

/**
 * The weight of every class; throws for rows without a text unless they count as empty, and for scripts without spaces
 * if words are split by script.
 */
export async function countDocuments(frame: Frame, text: EngineColumn, rule: WordRule | undefined, lenient = false) {
  const { dialect } = frame.engine;
  const given = wordsOf(dialect).text(quoteIdentifier(dialect, text.name));
  const [cell, x] = [lenient ? `COALESCE(${given}, '')` : given, column(frame, 'x0')];
  const packed = rule === 'spaced' ? [sumOf(frame, `CASE WHEN ${holdsUnspaced(dialect, x)} THEN 1 ELSE 0 END`)] : [];
  const { labels, values } = await byClass(frame, [cell], [presentOf(frame, x), ...packed]);
  const [n, present, unspaced] = values;
  const absent = n.reduce((sum, weight, c) => sum + weight - present[c], 0);
  if (absent > 0) refuseAbsent(text.name, absent);
  const rows = unspaced?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (rows > 0) {
    refuse(
      'E_ENGINE_CAPABILITY',
      `${rows} texts contain a script without spaces, which the tokenizer 'auto' splits by dictionaries that no engine has`,
      {
        column: text.name,
        rows,
      },
    );
  }
  return { labels, n, cell };
}

/** Counts the words of a text column as a vectorizer would: occurrences, or documents. */
export async function countWords(
  vectorizer: CountVectorizer,
  opened: Opened,
  text: EngineColumn,
  counts: 'tf' | 'df',
): Promise<CountedWords> {
  const { frame, target } = opened;
  if (readsTextsHere(frame.engine)) return streamWords(vectorizer, opened, text, counts);
  const rules = rulesOf(frame.engine, vectorizer);
  const { labels, n, cell } = await countDocuments(partOf(frame, 0, 2), text, rules.rule);
  const classes = sortLabels(labels, target);
  const documents = n.reduce((sum, weight) => sum + weight, 0);
  const copy = new CountVectorizer(vectorizer.getParams());
  frame.totals?.skip();
  const lexicon = await readWords(copy, classes, documents, (wanted) =>
    ask(partOf(frame, 1, 2), wordQuery(frame, cell, rules, wanted)),
  );
  const { vocabulary, columns } = vocabularyFrom(copy, lexicon);
  copy.adopt(() => vocabulary);
  const binary = counts === 'df' || vectorizer.getParams().binary;
  const stats = sumsOf(classes, ordered(classes, n), lexicon, columns, vocabulary.columns.ids.length, binary);
  return { vectorizer: copy, classes: classes.labels, stats };
}

/** Counts the words of one column of text for a vectorizer and the classifier behind it. */
export async function countText(
  vectorizer: CountVectorizer,
  classifier: AnyClassifier,
  opened: Opened,
): Promise<CountedText> {
  const counts = requireTerms(classifier);
  const counted = await countWords(vectorizer, opened, textColumn(opened.features), counts);
  const { vectorizer: words, classes, stats } = counted;
  return { vectorizer: words, found: { names: undefined, classes, stats, schema: undefined } };
}

function sumsOf(
  classes: Classes,
  n: Float64Array,
  { parts }: Lexicon,
  columns: Int32Array,
  features: number,
  binary: boolean,
): Sums {
  const stats = sums.empty({ classes: classes.labels.length, features });
  stats.n.set(n);
  for (const { ids, places, values } of parts) {
    const counts = values[binary ? 1 : 0];
    ids.forEach((id, k) => {
      if (columns[id] >= 0) stats.s[places[k] * features + columns[id]] += counts[k];
    });
  }
  return stats;
}
