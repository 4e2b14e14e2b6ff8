import type { Drawing } from './parts/draw.ts';
import { refused } from './state.ts';

/** Resolves when the page has nothing to do. */
export const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve, 200);
  });

/** A picture with the most common marks; drawn once to compile them, then discarded. */
const first: Drawing = (Plot) => ({
  x: { domain: [0, 1], grid: true, ticks: 5 },
  y: { domain: [0, 1], grid: true, ticks: 5 },
  marks: [
    Plot.line([
      [0, 0],
      [1, 1],
    ]),
    Plot.dot([[0, 1]], { r: 4 }),
    Plot.rectY([{ x1: 0, x2: 1, y: 1 }], Plot.stackY({ x1: 'x1', x2: 'x2', y: 'y' })),
    Plot.ruleX([0.5]),
  ],
});

/**
 * Preloads in idle time the screens on the way to a model and the drawing code, which is large and slow the first time, so that neither
 * happens during a training.
 */
export async function warmUp(): Promise<void> {
  try {
    await idle();
    const { draw } = await import('./parts/draw.ts');
    await idle();
    draw(first, '', 400);
    await idle();
    await Promise.all([import('./screens/data.tsx'), import('./screens/train.tsx'), import('./screens/evaluate.tsx')]);
  } catch (error) {
    refused(error);
  }
}
