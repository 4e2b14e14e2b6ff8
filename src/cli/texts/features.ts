/** The words of a ranking. */
export const features = {
  dataOrModel: () => 'features needs data, or a model file with -m.',
  shown: (shown: string, all: string, by: string) =>
    `${shown} of ${all}, by ${by}; mutual information in bits, log-odds in nats`,
  noCounts: (file: string) => `${file} has no counts by word to rank.`,
  giveData: () => 'Give the data instead, or explain the model: polya explain -m FILE',
} as const;
