import type { Command, Declaration } from './declare.ts';

/** The headings of the help, in its order. */
export const groups = ['explore', 'train', 'evaluate', 'use', 'keep learning', 'ship', 'setup'] as const;

/** A verb of the command line: what the list of commands shows, and the module with everything else. */
export interface Verb {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: (typeof groups)[number];
  readonly summary: string;
  load(): Promise<Declaration>;
}

/** All verbs, in the order of the help. Only the module of the requested verb is loaded. */
export const verbs: readonly Verb[] = [
  {
    name: 'inspect',
    group: 'explore',
    summary:
      'Shows what is in your data: format, columns, likely target, class balance, missing cells, duplicates, leaks.',
    load: async () => (await import('./commands/inspect.ts')).inspect,
  },
  {
    name: 'features',
    group: 'explore',
    summary: 'Ranks words and columns by how well they predict the class, with several scores.',
    load: async () => (await import('./commands/features.ts')).features,
  },
  {
    name: 'datasets',
    aliases: ['demo'],
    group: 'explore',
    summary: 'Lists the sample datasets, or writes one and prints commands to try with it.',
    load: async () => (await import('./commands/datasets.ts')).datasets,
  },
  {
    name: 'fit',
    aliases: ['train'],
    group: 'train',
    summary: 'Fits a model to labelled data and evaluates it on held-out rows.',
    load: async () => (await import('./commands/fit.ts')).fit,
  },
  {
    name: 'tune',
    group: 'train',
    summary: 'Compares settings by cross-validation, and evaluates the search itself with outer folds.',
    load: async () => (await import('./commands/tune.ts')).tune,
  },
  {
    name: 'compare',
    group: 'train',
    summary: 'Compares models on the same folds or rows, and tests whether the difference is significant.',
    load: async () => (await import('./commands/compare.ts')).compare,
  },
  {
    name: 'evaluate',
    aliases: ['test'],
    group: 'evaluate',
    summary:
      'Evaluates a model file, or a model type by cross-validation: scores with intervals, confusion, calibration.',
    load: async () => (await import('./commands/evaluate.ts')).evaluate,
  },
  {
    name: 'report',
    group: 'evaluate',
    summary: 'Writes an HTML report about a model on labelled data: scores, charts, errors, models tried.',
    load: async () => (await import('./commands/report.ts')).report,
  },
  {
    name: 'calibrate',
    group: 'evaluate',
    summary: 'Calibrates a model’s probabilities on rows it was not trained on, about 30 per class or more.',
    load: async () => (await import('./commands/calibrate.ts')).calibrate,
  },
  {
    name: 'predict',
    group: 'use',
    summary: 'Predicts the labels of texts or rows, with probabilities and, on request, explanations.',
    load: async () => (await import('./commands/predict.ts')).predict,
  },
  {
    name: 'explain',
    group: 'use',
    summary: 'Explains the prediction for a text or row, or the model as a whole.',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'update',
    aliases: ['learn'],
    group: 'keep learning',
    summary: 'Trains a model on more rows; each row is predicted first, so the model is evaluated as it learns.',
    load: async () => (await import('./commands/update.ts')).update,
  },
  {
    name: 'unlearn',
    group: 'keep learning',
    summary: 'Removes learned rows exactly: the model is what it would be without them.',
    load: async () => (await import('./commands/unlearn.ts')).unlearn,
  },
  {
    name: 'merge',
    group: 'keep learning',
    summary: 'Merges models: the result has learned the rows of all of them.',
    load: async () => (await import('./commands/merge.ts')).merge,
  },
  {
    name: 'export',
    group: 'ship',
    summary:
      'Writes a model for other tools: ONNX, JSON, SQL, a JavaScript or TypeScript module, PMML, scikit-learn, CSV.',
    load: async () => (await import('./commands/export.ts')).exportModel,
  },
  {
    name: 'import',
    group: 'ship',
    summary: 'Makes a model file from a scikit-learn model that was exported as JSON.',
    load: async () => (await import('./commands/import.ts')).importModel,
  },
  {
    name: 'info',
    group: 'ship',
    summary: 'Describes a model file: kind, classes, features, origin; verifies its checksum.',
    load: async () => (await import('./commands/info.ts')).info,
  },
  {
    name: 'serve',
    group: 'ship',
    summary: 'Serves models over HTTP: predictions, explanations, and online learning that survives a crash.',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'studio',
    group: 'ship',
    summary: 'Opens the studio, a local web page to explore data, fit, evaluate and try models.',
    load: async () => (await import('./commands/studio.ts')).studio,
  },
  {
    name: 'init',
    group: 'setup',
    summary: 'Asks a few questions about your data and writes polya.config.json; --yes accepts the detected values.',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'completion',
    group: 'setup',
    summary: 'Prints a script that completes commands, options, columns and model files in your shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'doctor',
    group: 'setup',
    summary: 'Checks this machine: Node, memory, folder, terminal, optional packages, and that a model can be fitted.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'bench',
    group: 'setup',
    summary: 'Measures reading, fitting, predicting, saving and loading on this machine: medians, rows per second.',
    load: async () => (await import('./commands/bench.ts')).bench,
  },
  {
    name: 'help',
    aliases: ['version'],
    group: 'setup',
    summary: 'Shows help on a command or a topic: formats, models, smoothing, config, exit-codes.',
    load: async () => (await import('./commands/help.ts')).help,
  },
];

/** The verb of a name or alias. */
export const verbNamed = (name: string): Verb | undefined =>
  verbs.find((verb) => verb.name === name || verb.aliases?.includes(name));

/** A verb with its declaration. */
export const loadCommand = async (verb: Verb): Promise<Command> => ({ ...(await verb.load()), ...verb });

/** All commands with their declarations, for documentation and for the names of settings. */
export const allCommands = (): Promise<Command[]> => Promise.all(verbs.map(loadCommand));
