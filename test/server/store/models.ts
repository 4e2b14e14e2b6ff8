import { CountVectorizer } from '../../../src/estimators/count-vectorizer.ts';
import { GaussianNB } from '../../../src/estimators/gaussian-nb.ts';
import { MultinomialNB } from '../../../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../../../src/estimators/pipeline.ts';
import type { Example } from '../../../src/server/model/served-model.ts';

/** Rows that every model of words begins with. */
export const firstRows: readonly Example[] = [
  { instance: 'win a free prize', label: 'spam' },
  { instance: 'lunch at noon', label: 'ham' },
];

const textsOf = (rows: readonly Example[]) => rows.map(({ instance }) => instance as string);
const labelsOf = (rows: readonly Example[]) => rows.map(({ label }) => label);
const weightsOf = (rows: readonly Example[]) => rows.map(({ weight = 1 }) => weight);

/** The bytes of a model that has learned these rows at once. */
export function wordsModel(rows: readonly Example[] = firstRows): Uint8Array {
  const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
  return pipeline.fit(textsOf(rows), labelsOf(rows), { sampleWeight: weightsOf(rows) }).toBytes();
}

/** The bytes of a model of two numbers. */
export function numbersModel(): Uint8Array {
  return new GaussianNB()
    .fit(
      [
        [1, 2],
        [2, 1],
        [7, 8],
        [8, 7],
      ],
      ['low', 'low', 'high', 'high'],
    )
    .toBytes();
}
