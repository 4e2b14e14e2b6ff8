import { cellsOf, type Dataset, datasetOf } from './dataset.ts';

const posts = `0|my dog has flea problems help please
1|maybe not take him to dog park stupid
0|my dalmation is so cute I love him
1|stop posting stupid worthless garbage
0|mr licks ate my steak how to stop him
1|quit buying worthless dog food stupid`;

type PostingsRow = { abusive: 0 | 1; text: string };

/** Six posts to a page about dogs, three of them abusive: `love my dalmation` should be 0, `stupid garbage` 1. */
export function loadPostings(): Dataset<PostingsRow, 'abusive'> {
  const card = {
    name: 'postings',
    title: 'Six posts, abusive or not',
    columns: ['abusive', 'text'],
    target: 'abusive' as const,
    text: 'text',
    description: 'Six posts to a page about dogs; 1 is abusive. Two more are to be classified.',
    source: 'P. Harrington, Machine Learning in Action (2012), chapter 4',
    license: 'factual data from a textbook example, free to redistribute',
  };
  return datasetOf(card, cellsOf(posts, '|'), [{ text: 'love my dalmation' }, { text: 'stupid garbage' }]);
}
