/** The questions of `polya init`. */
export const init = {
  title: () => 'polya.config.json',
  target: () => 'Which column is the label?',
  features: () => 'Which columns to classify by?',
  model: () => 'Which model?',
  done: () => 'That is all.',
  wrote: (file: string) => `wrote ${file}`,
  exists: () => 'polya.config.json is there already.',
  noData: () => 'There is no data file here; name one, or write a sample.',
} as const;
