/** What is said about samples and data sets. */
export const demo = {
  unknown: (name: string, near: string | undefined) =>
    `There is no sample "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
  known: (names: readonly string[]) => `Samples: ${names.join(', ')}.`,
  source: (source: string, license: string) => `Source: ${source}. Licence: ${license}.`,
  try: () => 'Try:',
  fetched: (rows: string, file: string) => `${rows} documents in ${file}`,
  newsTitle: () => '20 Newsgroups, by date: 18,846 postings in 20 groups; fetched when named here',
  newsUnknown: (part: string) => `Option --remove knows headers, footers and quotes, not "${part}".`,
} as const;
