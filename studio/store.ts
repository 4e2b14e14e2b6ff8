/** The object stores of the database: facts about projects, their data, the work on them, and their runs by `project/run`. */
export type StoreName = 'projects' | 'sources' | 'work' | 'runs';

const NAMES: readonly StoreName[] = ['projects', 'sources', 'work', 'runs'];

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('polya', 1);
    request.onupgradeneeded = () => {
      for (const name of NAMES) request.result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

function settledBy<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Reads the value of a key; undefined if there is none. */
export async function stored<T>(name: StoreName, key: string): Promise<T | undefined> {
  const store = (await database()).transaction(name).objectStore(name);
  return settledBy(store.get(key) as IDBRequest<T | undefined>);
}

/** Reads all values whose key begins with a prefix. */
export async function allStored<T>(name: StoreName, prefix = ''): Promise<T[]> {
  const store = (await database()).transaction(name).objectStore(name);
  return settledBy(store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)) as IDBRequest<T[]>);
}

/** Writes a value; resolves when it is on disk. */
export async function store(name: StoreName, key: string, value: unknown): Promise<void> {
  const transaction = (await database()).transaction(name, 'readwrite');
  transaction.objectStore(name).put(value, key);
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Deletes all keys with this prefix in every store. */
export async function forgetAll(key: string): Promise<void> {
  const transaction = (await database()).transaction(NAMES, 'readwrite');
  for (const name of NAMES) transaction.objectStore(name).delete(IDBKeyRange.bound(key, `${key}\uffff`));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
  });
}
