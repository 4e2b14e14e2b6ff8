import type { ColumnCard } from './protocol.ts';

/** The lower edge of bin k of a histogram; that of the bin past the last one is the maximum. */
export const binEdge = ({ from, to, bars }: NonNullable<ColumnCard['histogram']>, k: number): number =>
  k === bars.length ? to : from + (k * (to - from)) / bars.length;
