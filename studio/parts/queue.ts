const jobs: (() => void)[] = [];
const channel = new MessageChannel();

channel.port1.onmessage = () => {
  jobs.shift()?.();
  if (jobs.length > 0) channel.port2.postMessage(null);
};

/** Does one piece of drawing in a task of its own, so that several pictures never hold the page for long. */
export function soon(job: () => void): void {
  jobs.push(job);
  if (jobs.length === 1) channel.port2.postMessage(null);
}
