// A smart-home assistant that asks back when two intents are close. Guide: docs/guides/intents.md
import { ComplementNB, decide, makePipeline, sqrtTf } from 'polya';

const examples: Readonly<Record<string, readonly string[]>> = {
  'light-on': ['turn on the light', 'lights on please', 'switch the lamp on'],
  'light-off': ['turn off the light', 'lights off please', 'switch the lamp off'],
  heating: ['make it warmer', 'set the heating to 21', 'it is cold in here'],
  music: ['play some music', 'next song', 'louder music please'],
};
const model = makePipeline(sqrtTf({ analyzer: 'char_wb', ngramRange: [2, 4] }), new ComplementNB({ alpha: 0.1 }));
const intents = Object.entries(examples).flatMap(([intent, texts]) => texts.map(() => intent));
model.fit(Object.values(examples).flat(), intents);

const said = ['switch on the lamp', 'the light', 'play a song'];
for (const [i, { label, top = [] }] of decide(model, said, { margin: 0.1, top: 2 }).entries()) {
  console.log(`${said[i]} → ${label ?? `did you mean ${top.map((best) => best.label).join(' or ')}?`}`);
}
model.partialFit(['open the blinds', 'close the blinds'], ['blinds', 'blinds']); // a new intent
console.log(model.predict(['blinds down']));

/* prints
switch on the lamp → light-on
the light → did you mean light-on or light-off?
play a song → music
[ 'blinds' ]
*/
