/** What `polya report` says. */
export const report = {
  fileNeeded: () => 'A report is a page, which needs a file.',
  title: (model: string, data: string) => `${model} on ${data}`,
  data: () => 'data',
  model: () => 'model',
  learnedFrom: () => 'learned from',
  wrote: (file: string, size: string) => `wrote ${file} (${size}, opens without a network)`,
};
