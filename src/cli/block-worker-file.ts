/** The module that worker threads run; it is next to this one, in the sources and in the build. */
export const blockWorker: URL = new URL(`./block-worker${import.meta.url.slice(-3)}`, import.meta.url);
