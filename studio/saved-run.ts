import type { Evaluated, Run } from './protocol.ts';

/** A run as a project keeps it. */
export interface SavedRun {
  readonly run: Run;
  readonly evaluatedModel: Uint8Array<ArrayBuffer>;
}

/** A run as it was saved before the names `evaluatedModel` and `evaluation`. */
export interface OldRun {
  readonly run: Omit<Run, 'evaluated'> & {
    readonly evaluated?: Omit<Evaluated, 'evaluation'> & { readonly judgement: Evaluated['evaluation'] };
  };
  readonly judge: Uint8Array<ArrayBuffer>;
}

/** Reads a saved run under its present names. */
export function currentRun(saved: SavedRun | OldRun): SavedRun {
  if (!('judge' in saved)) return saved;
  const { evaluated: old, ...run } = saved.run;
  const evaluated = old && { operating: old.operating, evaluation: old.judgement };
  return { run: { ...run, ...(evaluated && { evaluated }) }, evaluatedModel: saved.judge };
}
