/** Names on the left take so much, and never more than a third of a narrow picture. */
export const leftFor = (wanted: number, width: number): number => Math.min(wanted, Math.round(width / 3));

/** As many letters as a left margin has room for. */
export const cutTo = (text: string, margin: number): string => {
  const most = Math.max(4, Math.floor((margin - 12) / 6.6));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};
