import { openFiles } from './open.ts';
import { refused } from './state.ts';

/** The files that `polya studio` was started with: names only; their content is fetched from the same server. */
interface Given {
  readonly data?: string;
  readonly model?: string;
}

/** Opens the files that `polya studio` was started with. A static page, or one whose server has stopped, has none. */
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
