import { choice, flag, integer, text, type ValuesOf } from './declare.ts';

/** Options that every command has, before its name or after. */
export const globals = {
  json: flag({ doc: 'print one JSON object instead of text (one per line where rows are printed)', common: true }),
  quiet: flag({ short: 'q', doc: 'say nothing on stderr but errors' }),
  verbose: flag({ short: 'v', doc: 'say more on stderr: columns and why, all that was tried' }),
  color: choice(['auto', 'always', 'never'], { default: 'auto', doc: 'colours; auto: on a terminal' }),
  progress: choice(['auto', 'bar', 'plain', 'json', 'none'], {
    default: 'auto',
    doc: 'progress on stderr; auto: a bar on a terminal, plain lines elsewhere',
  }),
  seed: integer({ default: 1, min: 0, max: 4294967295, doc: 'makes every choice by chance repeatable' }),
  threads: integer({
    value: 'N',
    min: 1,
    max: 256,
    doc: 'the most threads to count words with; as many as there are cores unless given',
  }),
  yes: flag({ short: 'y', doc: 'take the guesses without asking' }),
  config: text({
    value: 'FILE',
    doc: 'the config file; otherwise polya.config.json here or above',
    setting: false,
    complete: 'file',
  }),
  printConfig: flag({ doc: 'show every setting with its origin, and do nothing else', setting: false }),
  debug: flag({ doc: 'show the stack of an error' }),
} as const;

/** Their values. */
export type GlobalValues = ValuesOf<typeof globals>;
