/** Reads a preference from the browser; returns `usual` if it is absent or storage is blocked. */
export function remembered<T>(name: string, usual: T): T {
  try {
    const text = localStorage.getItem(`polya.${name}`);
    return text === null ? usual : (JSON.parse(text) as T);
  } catch {
    return usual;
  }
}

/** Saves a preference. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`polya.${name}`, JSON.stringify(value));
  } catch {
    // storage may be blocked, as in a private window; preferences are optional
  }
}
