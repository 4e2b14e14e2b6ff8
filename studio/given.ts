import { openFiles } from './open.ts';
import { refused } from './state.ts';

/** What the command line was given: names only; the files are fetched from the same place. */
interface Given {
  readonly data?: string;
  readonly model?: string;
}

/** Opens what `polya studio` was given; a page on a plain web server, or whose server is gone, has none. */
export async function openGiven(): Promise<void> {
  const answer = await fetch('./given.json').catch(() => undefined);
  if (!answer?.ok || !answer.headers.get('content-type')?.includes('json')) return;
  try {
    const { model, data } = (await answer.json()) as Given;
    if (model !== undefined) await openFetched('./given/model', model);
    if (data !== undefined) await openFetched('./given/data', data);
  } catch (error) {
    refused(error);
  }
}

async function openFetched(url: string, name: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  await openFiles([{ path: name, blob: await answer.blob() }]);
}
