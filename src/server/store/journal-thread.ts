/**
 * What the thread of the journal runs, as text: so it needs no file beside the bundle, and the package that is not in it is found
 * by the path that the main thread has resolved. Commits are synchronous here, because only then does every failure come
 * back to who asked, and LMDB goes on after it; the thread waits for the disk, the server does not.
 *
 * LMDB reads through a map of the whole file, and a page that was looked at counts as memory of the process as long as the map is there.
 * So a long range is removed a part at a time, with the commits that follow, and after many blocks the file is closed and opened
 * again, which gives the pages back.
 */
export const journalThread = `
const { parentPort, workerData } = require('node:worker_threads');
const { open } = require(workerData.lmdb);
const [PART, MANY] = [64, 128];
let journal;
let old; // a range of which something is left to be removed
let touched = 0;
let last = Promise.resolve();
const acts = {
  open() {
    journal ??= open({
      path: workerData.path, noSubdir: true, overlappingSync: false, encoding: 'binary', keyEncoding: 'uint32',
      mapSize: workerData.mapSize, pageSize: 4096, cache: false,
    });
  },
  commit({ puts, remove }) {
    const range = remove || old;
    const gone = journal.transactionSync(() => {
      for (const [key, bytes] of puts) journal.putSync(key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      const keys = range ? Array.from(journal.getKeys({ start: range[0], end: range[1], limit: PART })) : [];
      for (const key of keys) journal.removeSync(key);
      return keys.length;
    });
    touched += puts.length + gone;
    if (gone === PART) old = range;
    else if (old && range[1] >= old[1]) old = undefined;
  },
  read({ from, to }) {
    const found = [];
    for (const { key, value } of journal.getRange({ start: from, end: to })) found.push([key, Uint8Array.from(value)]);
    touched += found.length;
    return found;
  },
  last() {
    for (const key of journal.getKeys({ reverse: true, limit: 1 })) return key;
    return -1;
  },
  close() {
    try {
      while (old && journal) acts.commit({ puts: [] });
    } catch {} // what is left is removed with the next range
    return journal && release();
  },
};
async function answer({ id, act, given }) {
  try {
    if (!journal && act !== 'close') acts.open();
    parentPort.postMessage({ id, done: await acts[act](given) });
  } catch (error) {
    parentPort.postMessage({ id, failed: { code: error.code, message: String(error.message) } });
  }
}
async function release() {
  const before = journal;
  touched = 0;
  journal = undefined; // who asks next opens it
  await before.close();
}
parentPort.on('message', (asked) => {
  last = last.then(() => answer(asked)).then(() => (touched >= MANY ? release().catch(() => undefined) : undefined));
});
`;
