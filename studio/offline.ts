/** Registers a service worker, so that the page works after its server has stopped. Failure is ignored. */
export async function keepForLater(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('./keep.js').catch(() => undefined);
}
