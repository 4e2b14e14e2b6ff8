/** What is said about the studio. */
export const studio = {
  serving: (keys: boolean) =>
    `The studio is served to this machine alone; the address works once. ${keys ? 'Keys: h help · o open · q quit' : 'Ctrl-C ends it.'}`,
  keys: () => 'h these keys · o a new address, opened in the browser · q quit',
  notBuilt: () => 'The page of the studio is not there; build it with: npm run build:studio',
  noFile: (name: string) => `There is no file "${name}".`,
  noPort: (port: number, reason: string) => `Port ${port} of 127.0.0.1 cannot be used${reason ? ` (${reason})` : ''}.`,
} as const;
