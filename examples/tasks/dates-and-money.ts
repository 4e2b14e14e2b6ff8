// Which orders are returned? The file has German dates and prices. Guide: docs/guides/dates-and-money.md
import { Classifier } from 'polya';
import { readTable } from 'polya/node';

const lines = Array.from({ length: 90 }, (_, i) => {
  const [day, month] = [(i % 27) + 1, (i % 12) + 1].map((part) => String(part).padStart(2, '0'));
  const returned = i % 3 === 0;
  return `${day}.${month}.2024;${returned ? 250 + i : 20 + (i % 30)},90 €;${returned ? 'yes' : 'no'}`;
});
const bytes = new TextEncoder().encode(['ordered;price;returned', ...lines].join('\n'));
const { rows } = await readTable(bytes, { format: 'csv' });

const model = Classifier.fit(rows, {
  target: 'returned',
  dateOrder: 'day-first',
  decimal: 'comma',
  model: 'mixed',
  evaluate: false,
});
for (const { name, kind } of model.schema.columns) console.log(`${name}: ${kind}`);
console.log(model.classify({ ordered: '24.12.2024', price: '299,90 €' }).label);

/* prints
ordered: date
price: number
returned: category
yes
*/
