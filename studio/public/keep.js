// The service worker: network first, so that a new version is never hidden by a cached one; the cache answers when the server does not.
const NAME = 'polya-studio';

addEventListener('install', (event) => {
  event.waitUntil(keepAll().then(() => skipWaiting()));
});

addEventListener('activate', (event) => event.waitUntil(clients.claim()));

async function keepAll() {
  const files = ['./', ...(await (await fetch('./files.json')).json())];
  const cache = await caches.open(NAME);
  await cache.addAll(files);
  const wanted = new Set(files.map((file) => new URL(file, location).href));
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request); // files of an older version
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method === 'GET' && origin === location.origin && !/\/given(\.json|\/)/.test(pathname)) {
    event.respondWith(answer(request));
  }
});

async function answer(request) {
  try {
    const response = await fetch(request);
    if (response.ok && response.type === 'basic') {
      const copy = response.clone();
      caches.open(NAME).then((cache) => cache.put(keyOf(request), copy));
    }
    return response;
  } catch (error) {
    const kept = await caches.match(keyOf(request));
    if (kept) return kept;
    throw error;
  }
}

// one page, whatever ticket is in its address
const keyOf = (request) => (request.mode === 'navigate' ? './' : request);
