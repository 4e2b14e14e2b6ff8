import type { Command, Declaration, Verb } from './declare.ts';

/** The verbs under the headings of the help, in its order: each with its aliases and a summary. */
const headings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  explore: {
    inspect:
      'Shows what is in your data: format, columns, likely target, class balance, missing cells, duplicates, leaks.',
    features: 'Ranks words and columns by how well they predict the class, with several scores.',
    'datasets, demo': 'Lists the sample datasets, or writes one and prints commands to try with it.',
  },
  train: {
    'fit, train': 'Fits a model to labelled data and evaluates it on held-out rows.',
    tune: 'Compares settings by cross-validation, and evaluates the search itself with outer folds.',
    compare: 'Compares models on the same folds or rows, and tests whether the difference is significant.',
  },
  evaluate: {
    'evaluate, test':
      'Evaluates a model file, or a model type by cross-validation: scores with intervals, confusion, calibration.',
    report: 'Writes an HTML report about a model on labelled data: scores, charts, errors, models tried.',
    calibrate: 'Calibrates a model’s probabilities on rows it was not trained on, about 30 per class or more.',
  },
  use: {
    predict: 'Predicts the labels of texts or rows, with probabilities and, on request, explanations.',
    explain: 'Explains the prediction for a text or row, or the model as a whole.',
  },
  'keep learning': {
    'update, learn':
      'Trains a model on more rows; each row is predicted first, so the model is evaluated as it learns.',
    unlearn: 'Removes learned rows exactly: the model is what it would be without them.',
    merge: 'Merges models: the result has learned the rows of all of them.',
  },
  ship: {
    export:
      'Writes a model for other tools: ONNX, JSON, SQL, a JavaScript or TypeScript module, PMML, scikit-learn, CSV.',
    import: 'Makes a model file from a scikit-learn model that was exported as JSON.',
    info: 'Describes a model file: kind, classes, features, origin; verifies its checksum.',
    serve: 'Serves models over HTTP: predictions, explanations, and online learning that survives a crash.',
    studio: 'Opens the studio, a local web page to explore data, fit, evaluate and try models.',
  },
  setup: {
    init: 'Asks a few questions about your data and writes polya.config.json; --yes accepts the detected values.',
    completion: 'Prints a script that completes commands, options, columns and model files in your shell.',
    doctor: 'Checks this machine: Node, memory, folder, terminal, optional packages, and that a model can be fitted.',
    bench: 'Measures reading, fitting, predicting, saving and loading on this machine: medians, rows per second.',
    help: 'Shows help on a command or a topic: formats, models, smoothing, config, exit-codes.',
  },
};

/** The headings of the help, in its order. */
export const groups: readonly string[] = Object.keys(headings);

/** All verbs, in the order of the help. */
export const verbs: readonly Verb[] = groups.flatMap((group) =>
  Object.entries(headings[group]).map(([names, summary]) => {
    const [name, ...aliases] = names.split(', ');
    return { name, aliases, group, summary };
  }),
);

/** The verb of a name or alias. */
export const verbNamed = (name: string): Verb | undefined =>
  verbs.find((verb) => verb.name === name || verb.aliases.includes(name));

/** A verb with its declaration; only its module is loaded. */
export async function loadCommand(verb: Verb): Promise<Command> {
  const { declaration }: { declaration: Declaration } = await import(`./commands/${verb.name}.ts`);
  return { ...declaration, ...verb };
}

/** All commands with their declarations, for documentation and for the names of settings. */
export const allCommands = (): Promise<Command[]> => Promise.all(verbs.map(loadCommand));
