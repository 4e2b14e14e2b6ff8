/** What is said about serving. */
export const serve = {
  serving: (url: string, models: string) => `polya serve  ${url}   docs /docs   health /healthz   models: ${models}`,
  keys: () => '  keys: h help · o open docs · r reload models · s snapshot · q quit',
  help: () => 'h these keys · o open /docs in the browser · r load the model files again · s write snapshots · q quit',
  none: () => 'none, upload one to /v1/models',
  ready: (count: number, learning: boolean) =>
    `ready to serve ${count} ${count === 1 ? 'model' : 'models'}${learning ? ', and to learn' : ''}`,
  line: (name: string, version: number, summary: string) => `  ${name}@v${version}  ${summary}`,
  badName: (word: string) =>
    `"${word}" names no model: a name has small letters, digits, dots, dashes and underscores.`,
  twice: (name: string) => `Two models are called "${name}".`,
  badOrigin: (word: string) => `"${word}" is no origin; give one such as https://example.org.`,
  noToken: (file: string) => `The token in ${file} is empty.`,
  unreadable: (file: string, reason: string) => `${file} cannot be read (${reason}).`,
  reloaded: (name: string, version: number) => `${name} is now v${version}`,
  snapshot: (name: string, version: number) => `snapshot ${name}@v${version} written`,
  repaired: (copy: string, unreadable: number) =>
    `The journal was repaired; as it was it is kept in ${copy}. ${unreadable === 0 ? 'All groups of records in it are whole.' : `Groups of records that are not whole: ${unreadable}.`}`,
  rebuilt: (name: string, version: number, base: number, rows: number, lost: string) =>
    `  ${name}@v${version} is v${base} and ${rows} ${rows === 1 ? 'row' : 'rows'} learned since${lost === '' ? '' : `; lost: versions ${lost}`}`,
  unreadableModel: (name: string) => `no file of the model ${name} can be read; it is not served`,
  event: (time: string, event: string, facts: string) => `${time} ${event.padEnd(8)} ${facts}`,
} as const;
