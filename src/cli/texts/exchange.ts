/** What is said about models for other places. */
export const exchange = {
  formNeeded: () => 'export needs a form: --to onnx, json, sql, js, ts, pmml, csv or polya.',
  unspaced: () =>
    'SQL cannot part the words of Chinese and other scripts without spaces as the model does; leave such texts without an answer.',
  fileNeeded: (form: string) => `${form} is written to a file: -o FILE.`,
  noTable: (kind: string) => `A ${kind} has no parameters by feature that a table could show.`,
  tooLarge: (name: string) => `${name} is larger than the parameters of any model.`,
  notText: (name: string) => `${name} is no UTF-8 text.`,
  imported: (kind: string, classes: number) => `${kind}, ${classes} classes`,
} as const;
