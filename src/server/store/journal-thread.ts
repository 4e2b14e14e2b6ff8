/**
 * What the thread of the journal runs, as text: so it needs no file beside the bundle, and the package that is not in it is found
 * by the path that the main thread has resolved. Commits are synchronous here, because only then does every failure come
 * back to who asked, and LMDB goes on after it; the thread waits for the disk, the server does not.
 */
export const journalThread = `
const { parentPort, workerData } = require('node:worker_threads');
const { open } = require(workerData.lmdb);
let journal;
const acts = {
  open() {
    journal = open({
      path: workerData.path, noSubdir: true, overlappingSync: false, encoding: 'binary', keyEncoding: 'uint32',
      mapSize: workerData.mapSize, pageSize: 4096, cache: false,
    });
  },
  commit({ puts, remove }) {
    journal.transactionSync(() => {
      for (const [key, bytes] of puts) journal.putSync(key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (remove) for (let key = remove[0]; key < remove[1]; key++) journal.removeSync(key);
    });
  },
  read({ from, to }) {
    const found = [];
    for (const { key, value } of journal.getRange({ start: from, end: to })) found.push([key, Uint8Array.from(value)]);
    return found;
  },
  last() {
    for (const key of journal.getKeys({ reverse: true, limit: 1 })) return key;
    return -1;
  },
  close() {
    return journal && journal.close();
  },
};
parentPort.on('message', async ({ id, act, given }) => {
  try {
    parentPort.postMessage({ id, done: await acts[act](given) });
  } catch (error) {
    parentPort.postMessage({ id, failed: { code: error.code, message: String(error.message) } });
  }
});
`;
