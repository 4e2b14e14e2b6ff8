import type { Context } from '../context.ts';
import { choice, command, flag, integer, list, text } from '../declare.ts';

const options = {
  model: list({
    short: 'm',
    value: 'NAME=FILE',
    commas: false,
    doc: 'serve this model file under this name; may be given again, and the name of the file will do',
    common: true,
    complete: 'model',
    setting: false,
  }),
  learn: flag({ doc: 'learn and unlearn by requests; what is acknowledged is on stable storage', common: true }),
  journal: text({
    value: 'FOLDER',
    doc: 'where learning is kept, and continued from; polya-journal unless given, and it implies --learn',
    complete: 'file',
    common: true,
  }),
  port: integer({
    value: 'N',
    default: 8787,
    min: 0,
    max: 65535,
    doc: 'the port; the next free one where it is taken, any for 0',
    common: true,
  }),
  strictPort: flag({ doc: 'refuse a port that is taken instead of trying the next' }),
  host: text({
    value: 'ADDRESS',
    default: '127.0.0.1',
    doc: 'the address to listen on; one that others can reach needs a token',
    common: true,
  }),
  tokenFile: text({
    value: 'FILE',
    doc: 'the file with the token that clients must send; or the variable POLYA_TOKEN',
    complete: 'file',
  }),
  allowHost: list({ value: 'NAMES', doc: 'further names by which clients may call the server' }),
  allowOrigin: list({ value: 'ORIGINS', doc: 'origins of pages that may call the server; none unless given' }),
  maxBody: integer({ value: 'MB', default: 8, min: 1, max: 1024, doc: 'the largest JSON body, in megabytes' }),
  log: choice(['auto', 'text', 'json'], {
    default: 'auto',
    doc: 'lines of text or of JSON on stderr; text on a terminal unless told',
  }),
  repair: flag({ doc: 'rebuild a journal that is damaged from what of it can be read; a copy is kept beside it' }),
  check: flag({ doc: 'load the models and the journal, tell what would be served, and end', common: true }),
} as const;

/** What `polya serve` gets. */
export type Serve = Context<typeof options>;

/** `polya serve` */
export const serve = command({
  name: 'serve',
  summary: 'Serves models over HTTP: predictions, reasons, and learning that survives a crash.',
  about:
    'The description stands at /openapi.json, for people at /docs; metrics for Prometheus at /metrics. Only this machine can call unless --host says otherwise. SIGTERM finishes what is in flight, writes snapshots, and ends with 0. Keys on a terminal: h help, o open /docs, r load the files again, s snapshot, q quit.',
  arguments: [],
  options,
  examples: [
    { line: 'polya serve -m spam=spam.polya', says: 'serves one model' },
    {
      line: 'polya serve -m spam=spam.polya --learn --journal ./learn',
      says: 'learns by requests; the journal is continued at the next start',
    },
    { line: 'polya serve -m spam.polya --check', says: 'whether it would start, and with what' },
  ],
  serves: true,
  run: async (context): Promise<number | undefined> => (await import('../work/serve.ts')).serve(context),
});
