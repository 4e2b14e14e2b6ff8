import type { NamedFile } from './protocol.ts';

/** Returns the dropped files, including those in dropped folders. */
export async function droppedFiles(transfer: DataTransfer | null): Promise<readonly NamedFile[]> {
  // read the entries before the first await: the browser empties the list afterwards
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...(transfer?.files ?? [])];
  if (!entries.some((entry) => entry?.isDirectory)) return files.map((file) => ({ path: file.name, blob: file }));
  const found = await Promise.all(entries.map((entry) => (entry ? filesIn(entry, entry.name) : [])));
  return found.flat();
}

async function filesIn(entry: FileSystemEntry, path: string): Promise<NamedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, blob: file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: NamedFile[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    for (const own of part) all.push(...(await filesIn(own, `${path}/${own.name}`)));
  }
}
