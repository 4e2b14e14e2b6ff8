const jobs: (() => void)[] = [];
const channel = new MessageChannel();

channel.port1.onmessage = () => {
  jobs.shift()?.();
  if (jobs.length > 0) channel.port2.postMessage(null);
};

/** Runs one piece of drawing in its own task, so that several pictures do not block the page. */
export function soon(job: () => void): void {
  jobs.push(job);
  if (jobs.length === 1) channel.port2.postMessage(null);
}
