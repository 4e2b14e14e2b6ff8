/** The entry points by the name of their file in dist/lib, each with its source. */
export const entryPoints: Readonly<Record<string, string>>;
