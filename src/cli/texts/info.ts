import { interval, score } from '../numbers.ts';

/** The words of a model card. */
export const info = {
  intact: (size: string) => `${size}, checksum verified`,
  model: () => 'model',
  target: () => 'target',
  classes: () => 'classes',
  features: () => 'features',
  rows: () => 'rows',
  judged: () => 'judged',
  evaluation: ({
    on,
    accuracy,
    interval: [low, high],
    logLoss,
    rows,
  }: {
    on: string;
    accuracy: number;
    interval: readonly [number, number];
    logLoss: number;
    rows: number;
  }) => `accuracy ${score(accuracy)} (${interval(low, high)}), log-loss ${score(logLoss)}, n = ${rows}; ${on}`,
  data: () => 'data',
  made: () => 'made by',
  version: () => 'written by',
  format: (format: number, version: string | undefined) => `Pólya ${version ?? '(unknown version)'}, format ${format}`,
  kept: () => 'holds',
  slim: () => 'parameters only: it learns no more',
  full: () => 'statistics and parameters',
  sha256: () => 'sha256',
} as const;
