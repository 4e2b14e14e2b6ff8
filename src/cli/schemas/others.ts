import Type from 'typebox';
import { amount, closed, output, sampleEntries, writtenEntries } from './shapes.ts';

/** What the other commands print. */
export const others = {
  'bench@1': output(
    'bench@1',
    {
      model: Type.String(),
      rows: amount,
      bytes: amount,
      runs: amount,
      steps: Type.Array(
        closed({
          step: Type.String(),
          median: Type.Number(),
          least: Type.Number(),
          most: Type.Number(),
          rowsPerSecond: Type.Number(),
          times: Type.Array(Type.Number()),
        }),
      ),
    },
    'Times in milliseconds.',
  ),
  'doctor@1': output(
    'doctor@1',
    {
      version: Type.String(),
      ok: Type.Boolean(),
      checks: Type.Array(
        closed({
          name: Type.String(),
          state: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('no')]),
          says: Type.String(),
        }),
      ),
    },
    'What was looked at.',
  ),
  'report@1': output('report@1', { model: Type.String(), file: Type.String(), bytes: amount }, 'A page was written.'),
  'studio@1': output('studio@1', { url: Type.String(), port: amount }, 'The studio is being served.'),
  'serve@1': output(
    'serve@1',
    {
      url: Type.String(),
      port: amount,
      models: Type.Array(closed({ name: Type.String(), version: amount })),
      learning: Type.String(),
    },
    'Models are being served.',
  ),
  'serve-check@1': output(
    'serve-check@1',
    {
      models: Type.Array(closed({ name: Type.String(), version: amount, summary: Type.String() })),
      learning: Type.String(),
    },
    'What would be served.',
  ),
  'completion@1': output('completion@1', { shell: Type.String(), script: Type.String() }, 'The script of a shell.'),
  'demo@1': output(
    'demo@1',
    { file: Type.String(), ...sampleEntries, bytes: amount, commands: Type.Array(Type.String()) },
    'A sample was written.',
  ),
  'demos@1': output('demos@1', { samples: Type.Array(closed(sampleEntries)) }, 'The samples.'),
  'dataset@1': Type.Object(
    { schema: Type.Literal('polya/dataset@1'), name: Type.String(), rows: amount, file: Type.Optional(Type.String()) },
    { $id: 'urn:polya:schema:dataset@1', title: 'polya/dataset@1', description: 'A data set.' },
  ),
  'datasets@1': output(
    'datasets@1',
    {
      datasets: Type.Array(closed(sampleEntries)),
      fetched: Type.Array(closed({ name: Type.String(), title: Type.String() })),
    },
    'All data sets.',
  ),
  'init@1': output(
    'init@1',
    { file: Type.String(), data: Type.String(), config: Type.Object({}) },
    'A config file was written.',
  ),
  'export@1': output(
    'export@1',
    {
      model: Type.String(),
      to: Type.String(),
      files: Type.Array(closed({ file: Type.String(), bytes: amount })),
    },
    'A model was written in another form.',
  ),
  'import@1': output(
    'import@1',
    { ...writtenEntries, kind: Type.String(), classes: Type.Array(Type.Unknown()) },
    'A model file was made.',
  ),
  'config@1': output(
    'config@1',
    {
      command: Type.String(),
      settings: Type.Record(
        Type.String(),
        closed({
          value: Type.Unknown(),
          origin: Type.Union(['flag', 'environment', 'config', 'default'].map((word) => Type.Literal(word))),
          from: Type.String(),
        }),
      ),
    },
    'Every setting with its origin (--print-config).',
  ),
  'progress@1': output(
    'progress@1',
    {
      phase: Type.String(),
      share: Type.Optional(Type.Number()),
      rows: Type.Optional(amount),
      bytes: Type.Optional(amount),
      what: Type.Optional(Type.String()),
      seconds: Type.Number(),
      done: Type.Boolean(),
    },
    'A step of long work, on stderr (--progress json).',
  ),
  'error@1': output(
    'error@1',
    {
      command: Type.String(),
      code: Type.String({ pattern: '^E_[A-Z_]+$' }),
      message: Type.String(),
      details: Type.Object({}),
      exit: amount,
      notes: Type.Optional(Type.Array(Type.String())),
      suggestion: Type.Optional(Type.String()),
      stack: Type.Optional(Type.Array(Type.String())),
    },
    'An error, on stderr.',
  ),
} as const;
