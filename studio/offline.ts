/** Lets the browser keep the page, so that it works when its server is gone; a browser that refuses to is no reason to stop. */
export async function keepForLater(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('./keep.js').catch(() => undefined);
}
