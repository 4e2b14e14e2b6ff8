import { cellsOf, type Dataset, datasetOf } from './dataset.ts';

const documents = `1,Chinese Beijing Chinese,yes
2,Chinese Chinese Shanghai,yes
3,Chinese Macao,yes
4,Tokyo Japan Chinese,no`;

type ChinaJapanRow = { document: number; text: string; china: 'yes' | 'no' };

/** Four documents, about China or not, and a fifth on which multinomial and Bernoulli naive Bayes disagree. */
export function loadChinaJapan(): Dataset<ChinaJapanRow, 'china'> {
  const card = {
    name: 'china-japan',
    title: 'Four documents, about China or not',
    columns: ['document', 'text', 'china'],
    target: 'china' as const,
    text: 'text',
    description:
      'The worked example of naive Bayes: three documents about China, one that is not, and a fifth to classify.',
    source: 'Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), table 13.1',
    license: 'factual data from a textbook example, free to redistribute',
  };
  return datasetOf(card, cellsOf(documents), [{ document: 5, text: 'Chinese Chinese Chinese Tokyo Japan' }]);
}
