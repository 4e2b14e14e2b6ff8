/** What is said about measurements. */
export const bench = {
  outlier: (step: string) =>
    `${step}: the slowest run took more than three times the median; something else was running`,
} as const;
