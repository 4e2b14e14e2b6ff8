/** The left margin for names: at most a third of a narrow picture. */
export const leftFor = (wanted: number, width: number): number => Math.min(wanted, Math.round(width / 3));

/** Shortens a name to what fits into the left margin. */
export const cutTo = (text: string, margin: number): string => {
  const most = Math.max(4, Math.floor((margin - 12) / 6.6));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};
