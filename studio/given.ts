import { openFile } from './open.ts';
import { refused } from './state.ts';

/** What the command line was given: names only; the files are fetched from the same place. */
interface Given {
  readonly data?: string;
  readonly model?: string;
}

/** Opens what `polya studio` was given; a page that lies on a plain web server has none. */
export async function openGiven(): Promise<void> {
  try {
    const answer = await fetch('./given.json');
    if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) return;
    const { model, data } = (await answer.json()) as Given;
    if (model !== undefined) await openFile(await fileOf('./given/model', model));
    if (data !== undefined) await openFile(await fileOf('./given/data', data));
  } catch (error) {
    refused(error);
  }
}

async function fileOf(url: string, name: string): Promise<File> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return new File([await answer.blob()], name);
}
