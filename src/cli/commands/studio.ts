import type { Context } from '../context.ts';
import { command, flag, integer } from '../declare.ts';
import { modelFile } from '../shared-options.ts';

const options = {
  ...modelFile,
  port: integer({
    value: 'N',
    default: 4747,
    min: 0,
    max: 65535,
    doc: 'the port on 127.0.0.1; the next free one where it is taken, any for 0',
    common: true,
  }),
  strictPort: flag({ doc: 'refuse a port that is taken instead of trying the next' }),
  open: flag({ doc: 'open the page in the browser', common: true }),
} as const;

/** What `polya studio` gets. */
export type Studio = Context<typeof options>;

/** `polya studio` */
export const studio = command({
  name: 'studio',
  summary: 'Serves the studio, a page in which data become a model that can be seen thinking, to this machine alone.',
  about:
    'The page computes in the browser and asks no other machine for anything. It is served on 127.0.0.1 until it is stopped; the address works once and only for the browser that opens it first. Keys: h help, o open in the browser, q quit.',
  arguments: [{ name: 'data', doc: 'a file to begin with', complete: 'file' }],
  options,
  examples: [
    { line: 'polya studio sms.csv --open', says: 'opens the page with these data' },
    { line: 'polya studio sms.csv -m spam.polya --port 8080', says: 'with a model, on another port' },
  ],
  serves: true,
  run: async (context): Promise<number | undefined> => (await import('../work/studio.ts')).studio(context),
});
