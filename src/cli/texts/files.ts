import { safe } from '../terminal.ts';

/** What went wrong when a file was to be written; every sentence has the name and the reason of the system. */
export const files = {
  diskFull: (name: string, _: string) => `"${safe(name)}" could not be written: the disk is full. Nothing was changed.`,
  noFolder: (name: string, _: string) => `"${safe(name)}" could not be written: its folder is not there.`,
  isFolder: (name: string, _: string) => `"${safe(name)}" is a folder; name a file.`,
  notAllowed: (name: string, _: string) => `"${safe(name)}" may not be written here.`,
  writeFailed: (name: string, reason: string) =>
    `"${safe(name)}" could not be written (${reason}). Nothing was changed.`,
} as const;
