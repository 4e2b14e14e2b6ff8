import { palette } from '../../src/workbench.ts';

/** The colour of the k-th class, the same on every screen. */
export const colourOf = (k: number): string => palette[((k % palette.length) + palette.length) % palette.length];

/** Shapes for classes beyond the colours. */
export const shapeOf = (k: number): 'circle' | 'triangle' | 'square' | 'diamond' =>
  (['circle', 'triangle', 'square', 'diamond'] as const)[Math.floor(k / palette.length) % 4];
