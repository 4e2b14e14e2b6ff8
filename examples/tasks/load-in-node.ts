// Open the model that `polya fit sms.csv --target label --model multinomial -o spam.polya` wrote, explain one message, learn one
// and save. Guide: docs/guides/load-in-node.md
import type { Classifier } from 'polya';
import { readModel, writeModel } from 'polya/node';

const model = await readModel<Classifier<'ham' | 'spam'>>('spam.polya');
const { terms } = model.explain({ text: 'win cash now' });
console.log(terms.map(({ value }) => value).join(', '));

const message = { text: 'your dentist appointment is confirmed, reply to win back time', label: 'ham' };
const spam = () =>
  model
    .classify(message)
    .probabilities.find(({ label }) => label === 'spam')
    ?.probability.toFixed(3);
console.log(`spam ${spam()}`);
model.partialFit([message]);
console.log(`spam ${spam()} after one correction`);
await writeModel('task.polya', model);
console.log((await readModel<typeof model>('task.polya')).classes);

/* prints
cash, win, now
spam 0.536
spam 0.314 after one correction
[ 'ham', 'spam' ]
*/
