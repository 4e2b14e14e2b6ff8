import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where datasets are stored: the folder in POLYA_DATA, else the cache folder. */
export const dataFolder = (environment: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string =>
  environment.POLYA_DATA || cacheFolder(environment, platform);

/** The folder `polya` in the system's cache directory. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, 'polya');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'polya');
  if (platform === 'win32')
    return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'polya', 'cache');
  return join(homedir(), '.cache', 'polya');
}
