// Shows a page that says what to do while there is no connection. It keeps that page and what it needs to look right, and
// nothing else: no page of a customer, no signed address and no content is ever stored.
const BASE = '__BASE__'
const PREFIX = `licet-shell${BASE}/`
const SHELL = `${PREFIX}__VERSION__`
const PAGE = `${BASE}/no-connection`
const LINKS = /(?:href|src)="((?:\/shop\/\d+)?\/(?:assets|icons|pictures)\/[^"]+)"/g
const LEAVING = /\/my-content\/\d+\/(heartbeat|leave|progress)$/
const SIGN_OUT = /\/(logout|account\/(sessions\/end-all|delete))$/

async function fill() {
  // Without cookies, so that it is the page of nobody in particular.
  const page = await fetch(PAGE, { credentials: 'omit' })
  if (!page.ok) throw new Error(`the page without a connection answered ${page.status}`)
  const links = [...(await page.clone().text()).matchAll(LINKS)].map(([, link]) => link.replaceAll('&amp;', '&'))
  const shell = await caches.open(SHELL)
  await shell.addAll([...new Set(links)])
  await shell.put(PAGE, page)
}

async function dropOthers() {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== SHELL).map((name) => caches.delete(name)),
  )
}

async function openPage(event) {
  try {
    const answer = await fetch(event.request)
    // Signing out has emptied the store, so that the next customer fills it again.
    if (!(await caches.has(SHELL)) && answer.ok) event.waitUntil(fill().catch(() => {}))
    return answer
  } catch (error) {
    const page = await (await caches.open(SHELL)).match(PAGE)
    if (page === undefined) throw error
    return page
  }
}

self.addEventListener('install', (event) => event.waitUntil(fill().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(dropOthers().then(() => self.clients.claim())))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && SIGN_OUT.test(pathname)) {
    event.respondWith(fetch(request))
    event.waitUntil(caches.delete(SHELL))
  } else if (request.method === 'POST' && LEAVING.test(pathname)) {
    // The page is gone before it is sent, so the worker has to stay until it has arrived.
    const sent = fetch(request)
    event.respondWith(sent)
    event.waitUntil(sent.catch(() => {}))
  } else if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(openPage(event))
  else if (request.method === 'GET' && pathname.startsWith('/assets/'))
    event.respondWith(
      caches
        .open(SHELL)
        .then((shell) => shell.match(`${pathname}${search}`))
        .then((kept) => kept ?? fetch(request)),
    )
})
