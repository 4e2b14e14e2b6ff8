/** The module that the threads of a command run; it lies beside this one, in sources as in what is built. */
export const blockWorker: URL = new URL(`./block-worker${import.meta.url.slice(-3)}`, import.meta.url);
