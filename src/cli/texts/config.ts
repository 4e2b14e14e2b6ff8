/** What is said about the config file. */
export const config = {
  unknown: (path: string, key: string) => `${path} sets "${key}", which is no setting.`,
  suggestion: (near: string | undefined) =>
    near ? `Did you mean "${near}"?` : 'polya help config lists them; --print-config shows those in force.',
  unreadable: (path: string) => `The config file ${path} is not there or may not be read.`,
  broken: (path: string, reason: string) => `${path} is no JSON: ${reason}.`,
  noObject: () => 'it is no object with settings',
  heading: (file: string | undefined) =>
    file
      ? `Settings (flag over environment over ${file} over default):`
      : 'Settings (flag over environment over default; no config file):',
} as const;
