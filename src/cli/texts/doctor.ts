/** What the doctor says. */
export const doctor = {
  node: (version: string) => `${version} (20.19 or newer is needed)`,
  machine: (cores: number, total: string, free: string) => `${cores} cores, ${total} memory, ${free} free`,
  folder: (writable: boolean) => (writable ? 'files can be written here' : 'files cannot be written here'),
  noConfig: () => 'no polya.config.json here or above',
  terminal: (tty: boolean, columns: number, coloured: boolean) =>
    `${tty ? `${columns} columns` : 'stdout is no terminal'}, ${coloured ? 'colours' : 'no colours'}`,
  absent: (name: string) => `${name} is not installed here (it is optional)`,
  learned: (right: number, rows: number) => `a model learned, was saved, loaded, and told ${right} of ${rows} rows`,
} as const;
