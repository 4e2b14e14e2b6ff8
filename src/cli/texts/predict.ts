/** What is said when rows are labelled. */
export const predict = {
  done: (rows: string, speed: string, time: string, rejected: string) =>
    [rows, speed, time, rejected].filter(Boolean).join(' · '),
  rejected: (rows: string, limit: number) => `${rows} rejected (p < ${limit})`,
  logOdds: (value: string, against: string, rest: string) => `log-odds ${value} against ${against}   prior ${rest}`,
  notText: (name: string, columns: string) =>
    `${name} classifies by ${columns}, not by one text: give rows, not --text.`,
  ambiguous: (name: string, columns: string) =>
    `${name} reads several texts (${columns}); give rows with these columns.`,
  goalNeedsRows: (goal: string) =>
    `The threshold for ${goal} is found on labelled rows: ask evaluate for it, and give predict the probability.`,
  typeLines: () => 'one text per line; Ctrl-D ends',
} as const;
