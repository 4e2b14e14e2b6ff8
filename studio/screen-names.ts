/** The screens, in the order of the rail, each with the key that follows `g`. */
export const screens = [
  ['start', 's'],
  ['data', 'd'],
  ['train', 't'],
  ['evaluate', 'e'],
  ['understand', 'u'],
  ['boundary', 'b'],
  ['try', 'y'],
  ['label', 'l'],
  ['compare', 'c'],
  ['export', 'x'],
  ['server', 'r'],
] as const;

/** The name of a screen. */
export type Screen = (typeof screens)[number][0];
