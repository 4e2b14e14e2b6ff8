/** A word of a command line, quoted if the shell needs it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A whole command line. */
export const commandLine = (words: readonly string[]): string => ['polya', ...words].map(quoted).join(' ');

/** The command line with one word, or the value after an `=`, replaced. */
export function corrected(words: readonly string[], wrong: string, right: string): string {
  let done = false;
  const changed = words.map((word) => {
    if (done) return word;
    const [name, value] = splitValue(word);
    done = word === wrong || value === wrong || name === wrong;
    if (word === wrong) return right;
    if (value === wrong) return `${name}=${right}`;
    return name === wrong ? `${right}=${value}` : word;
  });
  return commandLine(changed);
}

/** `--target=x` as its two parts. */
function splitValue(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('-') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
