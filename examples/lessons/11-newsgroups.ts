// The 20 Newsgroups pipeline in five lines, on four of the groups. Set POLYA_DATA to the folder of the archive to work offline.
import { CountVectorizer, MultinomialNB, makePipeline, TfidfTransformer } from 'polya';
import { fetch20newsgroups } from 'polya/node';

const categories = ['alt.atheism', 'soc.religion.christian', 'comp.graphics', 'sci.med'];
const options = { categories, ...(process.env.POLYA_NEWSGROUPS && { from: process.env.POLYA_NEWSGROUPS }) };
const [train, test] = await Promise.all(
  (['train', 'test'] as const).map((subset) => fetch20newsgroups({ ...options, subset })),
).catch((error: Error) => {
  console.error(error.message); // without a network it says where to put the archive
  process.exit(1);
});
const model = makePipeline(new CountVectorizer(), new TfidfTransformer(), new MultinomialNB()).fit(
  train.data,
  train.labels,
);

for (const text of ['God is love', 'OpenGL on the GPU is fast'])
  console.log(`'${text}' => ${model.predict([text])[0]}`);
console.log(`accuracy ${model.score(test.data, test.labels).toFixed(4)} on ${test.data.length} documents`);
