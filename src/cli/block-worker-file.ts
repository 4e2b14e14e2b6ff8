/** The module that the threads of a command run; it is beside this one, in the sources and in the build. */
export const blockWorker: URL = new URL(`./block-worker${import.meta.url.slice(-3)}`, import.meta.url);
