import { safe } from '../terminal.ts';

const quote = (word: string): string => `"${safe(word, 80)}"`;

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

/** What is wrong with a command line. */
export const usage = {
  unknownCommand: (name: string, near: string | undefined) =>
    `Unknown command ${quote(name)}.${near ? ` Did you mean ${quote(near)}?` : ' These are all commands:'}`,
  unknownOption: (flag: string, command: string | undefined, near: string | undefined) =>
    `Unknown option ${quote(flag)}${command ? ` of ${command}` : ''}.${near ? ` Did you mean ${quote(near)}?` : ' These are all options:'}`,
  valueMissing: (flag: string) => `Option ${flag} needs a value.`,
  argumentMissing: (command: string, name: string) =>
    `${command} needs ${/^(data|models)$/.test(name) ? '' : /^[aeiou]/.test(name) ? 'an ' : 'a '}${name}.`,
  argumentExtra: (command: string, word: string) => `${command} takes no further argument, and got ${quote(word)}.`,
  textNeeded: (where: string) => `${where} is a text.`,
  flagNeeded: (where: string) => `${where} is true or false.`,
  numberNeeded: (where: string, whole: boolean, min: number | undefined, max: number | undefined, got: string) =>
    `${where} is a ${whole ? 'whole number' : 'number'}${range(min, max)}, not ${quote(got)}.`,
  choiceNeeded: (where: string, got: string) => `${where} knows no ${quote(got)}.`,
  choices: (choices: readonly string[], near: string | undefined) =>
    `It is one of ${choices.join(', ')}.${near ? ` Did you mean ${quote(near)}?` : ''}`,
  pairNeeded: (flag: string, form: string, got: string) => `${flag} is written ${form}, not ${quote(got)}.`,
  together: (first: string, second: string) => `${first} and ${second} exclude each other.`,
  unknownTopic: (topic: string, near: string | undefined) =>
    `There is no help on ${quote(topic)}.${near ? ` Did you mean ${quote(near)}?` : ''}`,
  topics: (names: readonly string[]) => `Topics: ${names.join(', ')}; or the name of a command.`,
  noTerminal: (command: string) => `${command} asks questions, and there is no terminal to ask.`,
} as const;
