/** The library version, written to every model file; a test compares it with package.json. */
export const version = '0.1.0';
