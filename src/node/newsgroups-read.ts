import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeSingle } from '../data/single-byte.ts';
import { refuse } from '../errors.ts';
import { nameOf, openFile, refuseFile } from './file.ts';
import { cancelled } from './request.ts';
import { readTar } from './tar.ts';
import { listTexts } from './text-files.ts';

/** A post: its group, its part of the dataset, and its path. */
export interface Post {
  readonly subset: 'train' | 'test';
  readonly group: string;
  readonly file: string;
  readonly text: string;
}

/** The file name of the archive in a folder. */
export const ARCHIVE = '20news-bydate.tar.gz';

const PLACE = /(?:^|\/)20news-bydate-(train|test)\/([^/]+)\/([^/]+)$/;

/** Which posts to read, and a progress callback. */
export interface PostFilter {
  wants(subset: string, group: string): boolean;
  readonly signal: AbortSignal | undefined;
  onPosts(posts: number): void;
}

/** The posts of an archive, or of a folder with the dataset packed or unpacked; `undefined` if a folder has neither. */
export async function findPosts(place: string, filter: PostFilter): Promise<Post[] | undefined> {
  const found = await stat(place).catch((error: unknown) => refuseFile(place, error));
  if (!found.isDirectory()) return readArchive(place, filter);
  for (const below of ['', '20news-bydate', '20news_home']) {
    const root = join(place, below);
    if ((await isFolder(join(root, '20news-bydate-train'))) || (await isFolder(join(root, '20news-bydate-test')))) {
      return readFolder(root, filter);
    }
  }
  const archive = join(place, ARCHIVE);
  return (await stat(archive).catch(() => undefined))?.isFile() ? readArchive(archive, filter) : undefined;
}

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true;

async function readArchive(path: string, filter: PostFilter): Promise<Post[]> {
  const posts: Post[] = [];
  for await (const { name, bytes } of readTar(openFile(path, { maxOutputBytes: 2 ** 30, maxRatio: 200 }))) {
    stopIfAborted(filter);
    const place = PLACE.exec(name);
    if (place === null) continue;
    const [, subset, group, file] = place as unknown as [string, 'train' | 'test', string, string];
    if (filter.wants(subset, group)) posts.push({ subset, group, file, text: decodeSingle(bytes, 'latin1') });
    filter.onPosts(posts.length);
  }
  return posts;
}

async function readFolder(root: string, filter: PostFilter): Promise<Post[]> {
  const posts: Post[] = [];
  for (const subset of ['train', 'test'] as const) {
    const folder = join(root, `20news-bydate-${subset}`);
    if (!(await isFolder(folder))) continue;
    for (const { label, name, path } of await listTexts(folder)) {
      stopIfAborted(filter);
      const file = name.split('/');
      if (label === undefined || file.length !== 2 || !filter.wants(subset, label)) continue;
      const bytes = await readFile(path).catch((error: unknown) => refuseFile(path, error));
      posts.push({ subset, group: label, file: file[1]!, text: decodeSingle(bytes, 'latin1') });
      filter.onPosts(posts.length);
    }
  }
  return posts;
}

function stopIfAborted({ signal }: PostFilter): void {
  if (signal?.aborted) throw cancelled(signal);
}

/** Throws if there are no posts of the dataset. */
export function refuseNoPosts(place: string): never {
  const sentence = `${nameOf(place)} has no folders 20news-bydate-train or 20news-bydate-test with posts, and no ${ARCHIVE}`;
  refuse('E_PATH', sentence, { file: nameOf(place) });
}
