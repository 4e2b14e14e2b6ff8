// Labels, columns and predictions checked by the compiler. Guide: docs/guides/typed-rows.md
import { Classifier, load } from 'polya';

type Species = 'cat' | 'dog';
interface Animal {
  readonly weight: number | null;
  readonly ears: 'pointed' | 'floppy';
  readonly species: Species;
}
const animals: Animal[] = [
  { weight: 4, ears: 'pointed', species: 'cat' },
  { weight: 5, ears: 'pointed', species: 'cat' },
  { weight: 3.5, ears: 'pointed', species: 'cat' },
  { weight: 20, ears: 'floppy', species: 'dog' },
  { weight: 12, ears: 'pointed', species: 'dog' },
  { weight: null, ears: 'floppy', species: 'dog' },
];
const model = Classifier.fit(animals, { target: 'species', model: 'mixed', evaluate: false });
const answer: Species = model.classify({ weight: 15, ears: 'floppy' }).label;
const copy = load<typeof model>(model.save());
const again: Species[] = copy.predict([{ weight: 4, ears: 'pointed' }]);
console.log(answer, again);
// @ts-expect-error there is no species of this name
const bird: 'bird' = answer;
console.log(String(bird));

/* prints
dog [ 'cat' ]
dog
*/
