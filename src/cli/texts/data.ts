/** What is said about the cells of data. */
export const data = {
  notNumber: (column: string, cell: string) => `"${cell}" is not a number, and column "${column}" holds numbers.`,
  notStrict: () => 'Correct the cell, or let such cells count as missing: --no-strict',
  noNumber: (place: string, cell: string, column: string) =>
    `${place}  "${cell}" is no number, and --kinds says that column "${column}" holds numbers.`,
  negative: (column: string, cell: string) =>
    `column "${column}" holds ${cell}, and the model takes counts, which are not negative.`,
  noWeight: (column: string, cell: string) =>
    `"${cell}" in column "${column}" is no weight; weights are numbers from 0 on.`,
  tooLarge: (column: string, cell: string, limit: number) =>
    `column "${column}" holds ${cell}, and numbers beyond ${limit} are too large for the model.`,
} as const;
