// A worker that loads a model by its address and answers messages; here the page is in the same file. Guide: docs/guides/browser.md
import { CountVectorizer, MultinomialNB, makePipeline, restore } from 'polya';

const make = () => makePipeline(new CountVectorizer(), new MultinomialNB());

// on the server: the file
const bytes = make().fit(['good dog', 'bad dog', 'good cat'], ['praise', 'blame', 'praise']).toBytes();
const address = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

// in the worker
interface Question {
  readonly id: number;
  readonly text: string;
}
const loading = fetch(address).then(async (response) => restore(make(), new Uint8Array(await response.arrayBuffer())));
const onmessage = async ({ data }: { data: Question }) => ({
  id: data.id,
  label: (await loading).predict([data.text])[0],
});

// in the page
console.log(await onmessage({ data: { id: 1, text: 'bad dog' } }));

/* prints
{ id: 1, label: 'blame' }
*/
