/** What the browser remembers under a name; it may refuse to remember anything. */
export function remembered<T>(name: string, usual: T): T {
  try {
    const text = localStorage.getItem(`polya.${name}`);
    return text === null ? usual : (JSON.parse(text) as T);
  } catch {
    return usual;
  }
}

/** Keeps a preference. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`polya.${name}`, JSON.stringify(value));
  } catch {
    // a private window forgets; nothing depends on it
  }
}
