import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareCodePoints } from '../data/order.ts';
import { type NewsgroupPart, stripNewsgroup } from '../datasets/newsgroup-strip.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { Random } from '../math/random.ts';
import { dataFolder } from './cache.ts';
import { type DownloadOptions, download, sha256Of } from './download.ts';
import { ARCHIVE, findPosts, type Post, refuseNoPosts } from './newsgroups-read.ts';

/** Progress of a download or of reading. */
export interface NewsgroupsProgress {
  readonly phase: 'download' | 'read';
  /** Bytes of a download, or posts read. */
  readonly done: number;
  readonly total?: number;
}

/** Which posts of 20 Newsgroups to load, and from where. */
export interface NewsgroupsOptions {
  /** The posts before the split date, those after it, or all. Default: `'train'`. */
  readonly subset?: 'train' | 'test' | 'all';
  /** The groups. Default: all twenty. */
  readonly categories?: readonly string[];
  /** The parts to remove from each post, as in scikit-learn. Default: none. */
  readonly remove?: readonly NewsgroupPart[];
  /** The folder that caches the archive. Default: POLYA_DATA, or `polya` in the system's cache folder. */
  readonly cache?: string;
  /** An archive or a folder to read instead of downloading. Default: none. */
  readonly from?: string;
  /** An alternative URL of the same archive. Default: the original. */
  readonly url?: string;
  /** The checksum of the archive at `url`. Default: that of the original. */
  readonly sha256?: string;
  /** Throws instead of downloading. Default: false. */
  readonly offline?: boolean;
  /** Whether the posts are shuffled; otherwise they are ordered by part, group and name. Default: false. */
  readonly shuffle?: boolean;
  /** The random seed of the shuffle. Default: 1. */
  readonly seed?: number;
  /** Aborts downloading and reading with `E_CANCELLED`. Default: none. */
  readonly signal?: AbortSignal;
  /** Called during downloading and reading. Default: none. */
  readonly onProgress?: (progress: NewsgroupsProgress) => void;
  /** How a broken download is resumed. Default: as for `DownloadOptions`. */
  readonly retry?: Pick<DownloadOptions, 'retries' | 'retryDelay' | 'idleTimeout' | 'resolve'>;
}

/** Posts with their groups. */
export interface Newsgroups {
  readonly data: string[];
  /** For each post, the index of its group in `targetNames`. */
  readonly target: number[];
  /** For each post, its group. */
  readonly labels: string[];
  /** The groups, sorted. */
  readonly targetNames: string[];
  /** For each post, its path in the archive. */
  readonly filenames: string[];
  readonly description: string;
}

/** The archive that scikit-learn downloads. */
export const newsgroupsArchive = {
  url: 'https://ndownloader.figshare.com/files/5975967',
  sha256: '8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610',
} as const;

const description =
  'Posts of 1993 to twenty newsgroups, collected by K. Lang and split by date by J. Rennie: 11,314 to train, 7,532 to test. ' +
  'Bytes are decoded as Latin-1.';

/**
 * Loads 20 Newsgroups, "by date". The archive is downloaded once, with its checksum, into a cache; it is read as a
 * stream and never unpacked to disk. With `from`, or with the dataset in the cache or in POLYA_DATA, packed or
 * unpacked, nothing is downloaded.
 */
export async function fetch20newsgroups(options: NewsgroupsOptions = {}): Promise<Newsgroups> {
  checkOptions(options);
  const { subset = 'train', categories, remove = [], shuffle = false, seed = 1 } = options;
  const wanted = categories && new Set(categories);
  const known = new Set<string>();
  const wants = (part: string, group: string) => {
    known.add(group);
    return (subset === 'all' || part === subset) && (wanted === undefined || wanted.has(group));
  };
  const posts = await postsOf(options, wants);
  if (known.size === 0) refuseNoPosts(options.from ?? ARCHIVE);
  for (const name of wanted ?? []) if (!known.has(name)) refuseCategory(name, known);
  posts.sort(byPlace);
  if (shuffle) new Random(seed).shuffle(posts);
  const labels = posts.map(({ group }) => group);
  const targetNames = [...new Set(categories ?? labels)].sort(compareCodePoints);
  const places = new Map(targetNames.map((name, c) => [name, c]));
  return {
    data: posts.map(({ text }) => stripNewsgroup(text, remove)),
    target: labels.map((label) => places.get(label)!),
    labels,
    targetNames,
    filenames: posts.map(({ subset: part, group, file }) => `20news-bydate-${part}/${group}/${file}`),
    description,
  };
}

function byPlace(a: Post, b: Post): number {
  if (a.subset !== b.subset) return a.subset === 'train' ? -1 : 1;
  return compareCodePoints(a.group, b.group) || compareCodePoints(a.file, b.file);
}

async function postsOf(options: NewsgroupsOptions, wants: (subset: string, group: string) => boolean): Promise<Post[]> {
  const { from, signal, onProgress } = options;
  const filter = { wants, signal, onPosts: (done: number) => onProgress?.({ phase: 'read', done }) };
  const cache = options.cache ?? dataFolder();
  const place = from ?? cache;
  const exists = from !== undefined || (await stat(place).catch(() => undefined)) !== undefined;
  const archive = join(cache, ARCHIVE);
  if (from === undefined) await checkArchive(archive, options);
  const found = exists ? await findPosts(place, filter) : undefined;
  if (found !== undefined) return found;
  if (from !== undefined || options.offline) refuseNoPosts(place);
  await fetchArchive(archive, options);
  return (await findPosts(archive, filter))!;
}

/** An archive in the cache is used only if its checksum is right. */
async function checkArchive(archive: string, { sha256 = newsgroupsArchive.sha256 }: NewsgroupsOptions): Promise<void> {
  const found = await stat(archive).catch(() => undefined);
  if (!found?.isFile() || (await sha256Of(archive)) === sha256.toLowerCase()) return;
  const sentence = `${ARCHIVE} in the cache does not have the expected SHA-256; delete it, or name it with from`;
  refuse('E_CHECKSUM', sentence, { file: ARCHIVE, expected: sha256 });
}

async function fetchArchive(archive: string, options: NewsgroupsOptions): Promise<void> {
  const { url = newsgroupsArchive.url, sha256 = newsgroupsArchive.sha256, signal, onProgress, retry } = options;
  const onBytes = (done: number, total: number | undefined) =>
    onProgress?.({ phase: 'download', done, ...(total !== undefined && { total }) });
  const wanted = { url, sha256, maxBytes: 1 << 26, onProgress: onBytes, ...(signal && { signal }), ...retry };
  await download(archive, wanted).catch((error: unknown) => {
    if (!(error instanceof PolyaError) || error.code !== 'E_IO') throw error;
    const advice = `to work offline, put ${ARCHIVE} into a folder and set POLYA_DATA to that folder`;
    refuse('E_IO', `20 Newsgroups cannot be downloaded: ${error.message}; ${advice}`, error.details, error.cause);
  });
}

const parts: readonly string[] = ['headers', 'footers', 'quotes'];

function checkOptions({ subset = 'train', remove = [], categories }: NewsgroupsOptions): void {
  if (!['train', 'test', 'all'].includes(subset)) {
    refuse('E_PARAM', `subset is 'train', 'test' or 'all', not ${show(subset)}`, { option: 'subset' });
  }
  const unknown = remove.find((part) => !parts.includes(part));
  if (unknown !== undefined) {
    refuse('E_PARAM', `remove lists headers, footers and quotes, not ${show(unknown)}`, { option: 'remove' });
  }
  if (categories?.length === 0) refuse('E_PARAM', 'categories names at least one group', { option: 'categories' });
}

function refuseCategory(name: string, known: ReadonlySet<string>): never {
  const groups = [...known].sort(compareCodePoints);
  refuse('E_PARAM', `there is no group ${show(name)}; there are ${groups.join(', ')}`.slice(0, 600), {
    option: 'categories',
    name,
    known: groups,
  });
}
