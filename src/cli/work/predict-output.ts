import { resolve } from 'node:path';
import type { Predict } from '../commands/predict.ts';
import { type GrowingFile, growFile } from '../save-file.ts';
import type { AnswerForm } from './answer-lines.ts';
import { requireFree } from './model-output.ts';

/** Where answers go: stdout, or a file that is complete or not there. */
export class AnswerOutput {
  private readonly context: Predict;
  private file: GrowingFile | undefined;

  constructor(context: Predict) {
    this.context = context;
  }

  async begin(): Promise<void> {
    const { options, io } = this.context;
    if (options.out === undefined || options.out === '-') return;
    requireFree(this.context, options.out, options.force);
    this.file = await growFile(resolve(io.cwd, options.out), io.guard);
  }

  async write(text: string): Promise<void> {
    if (text !== '') await (this.file ? this.file.write(text) : this.context.print.raw(text));
  }

  async end(): Promise<void> {
    await this.file?.end();
  }

  /** Leaves nothing behind of answers that were not finished. */
  async discard(): Promise<void> {
    await this.file?.discard();
  }
}

/** How the answers of a command are written. */
export function formOf({ options, print }: Predict, kept: AnswerForm['kept']): AnswerForm {
  const { screen } = print;
  const color = screen.paint.bold('') !== '';
  return { form: options.json ? 'json' : options.output, kept, color, columns: screen.columns };
}
