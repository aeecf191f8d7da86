import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEpub } from '../books.ts'
import { useDatabaseWay } from '../database-way.ts'
import { aCategory, aThemeSetting } from '../factories.ts'
import { useService } from '../harness.ts'
import { askHost } from '../hosts.ts'
import { enterShop, ownedContent } from '../owned-content.ts'
import { signedIn } from '../people.ts'
import { baseOf } from '../shop-pages.ts'
import { type PageAnswer, visit } from '../visitor.ts'
import { collectRoutes } from './collect-routes.ts'

const allRoutes = collectRoutes()
const way = useDatabaseWay()
const service = useService({ databaseWay: way })
const OURS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

/** Addresses that need no database, because they are the same for everybody. */
const STATIC =
  /^(\/shop\/:shop)?\/(assets|sw\.js|no-connection|favicon)|^\/(health|openapi\.json|docs|assets|robots\.txt)/

function assertUnavailable(
  { status, headers, text }: Pick<PageAnswer, 'status' | 'headers' | 'text'>,
  what: string,
): void {
  assert.equal(status, 503, `${what}: ${text}`)
  assert.equal(headers.get('retry-after'), '1', what)
  assert.match(headers.get('content-type') ?? '', /^text\/html/, what)
  assert.match(text, /<h1>/, what)
  assert.doesNotMatch(headers.get('cache-control') ?? '', /public/, what)
}

describe('while the database is away', () => {
  test('every page says that it is not available right now, and is back with the database', async () => {
    service.app.baseUrl = service.url
    const shop = await service.openShop()
    const base = await baseOf(shop)
    await aCategory(shop, { title: 'Films', enabled: true })
    const { id, customer, product } = await ownedContent(service, shop, {
      files: [{ bytes: anEpub(), name: 'book.epub' }],
      terms: { stamp: 0 },
      product: { product_type: 16 },
    })
    const member = await enterShop(service, shop, base, customer, { accept: 'text/html' })
    const owner = await signedIn(service, shop, { accept: 'text/html' })
    const unseen = await aThemeSetting(shop)
    // The frame of every page has the number of things in the cart.
    const shopper = visit(service.url, OURS)
    for (const visitor of [member, shopper])
      assert.equal((await visitor.post(`${base}/cart`, { product_id: product.product_id })).location, `${base}/cart`)
    const opened = await member.post(`${base}/my-content/${id}/read`, {})
    const { host, pathname: book } = new URL(/<iframe [^>]*src="([^"]+)"/.exec(opened.text)?.[1] ?? '')
    assert.equal((await askHost(service.url, { host, path: book })).status, 200)
    const pageOf = (url: string, at: string) =>
      url
        .replace('/shop/:shop', at)
        .replace(':ref', product.id)
        .replace(':id', String(id))
        .replace(':name', 'terms')
        .replace(/:\w+|\*/g, '1')
    const pages = allRoutes().filter(({ url }) => url.startsWith('/shop/:shop') && !STATIC.test(url))
    assert.ok(pages.length > 60, String(pages.length))
    const accounts = allRoutes().filter(
      ({ method, url, site }) => method === 'GET' && site !== 'other' && /^\/(account|sign-in|oauth2)(\/|$)/.test(url),
    )
    assert.ok(accounts.length > 5, String(accounts.length))
    const check = async (wanted: (answer: PageAnswer, what: string) => void) => {
      for (const at of [base, `/shop/${unseen.id}`])
        for (const { method, url } of pages.filter(({ method }) => method === 'GET' || method === 'POST')) {
          const path = pageOf(url, at)
          for (const visitor of [member, shopper, visit(service.url, OURS)])
            wanted(await (method === 'GET' ? visitor.get(`${path}?x`) : visitor.post(path, {})), `${method} ${path}`)
        }
      for (const { url } of accounts) wanted(await owner.get(pageOf(url, base)), url)
      const { status, headers, text } = await askHost(service.url, { host, path: book })
      wanted({ status, headers, text, location: undefined }, 'a book')
    }
    way.cut()
    let unavailable = 0
    await check((answer, what) => {
      // A form without content is refused, and a page that is the same for everybody is shown, without the database.
      if (answer.status < 500) return
      assertUnavailable(answer, what)
      unavailable += 1
    })
    assert.ok(unavailable > 2 * pages.length, `${unavailable} of ${pages.length} pages`)
    for (const path of ['/', '/cart', `/products/${product.id}`, '/account', `/my-content/${id}/read`])
      assertUnavailable(await member.get(`${base}${path}`), path)
    const inGerman = visit(service.url, { ...OURS, 'accept-language': 'de-AT,en;q=0.5' })
    const german = await inGerman.get(`/shop/${unseen.id}/cart`)
    assertUnavailable(german, 'in German')
    assert.match(
      german.text,
      /<html lang="de">.*Der Shop ist gerade nicht erreichbar\..*<a [^>]*href="">Erneut versuchen</s,
    )
    for (const path of ['/file', '/parts', '/part?name=c1.xhtml']) {
      const { status, headers } = await askHost(service.url, { host, path: `${book}${path}` })
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'], path)
    }
    way.mend()
    await check(({ status }, what) => assert.notEqual(status, 503, what))

    // The shop and the customer are known already when the database goes away in the middle of a page.
    const some = ['/', '/cart', '/checkout', '/search?q=x', `/products/${product.id}`, '/account', '/account/orders']
    const more = ['/my-content', `/my-content/${id}`, `/my-content/${id}/read`, `/my-content/${id}/play`, '/nothing']
    const seen = new Set<number>()
    for (const messages of [1, 2, 3, 5, 8])
      for (const path of [...some, ...more])
        for (const visitor of [member, shopper]) {
          way.mend()
          await visitor.get(`${base}/account`)
          way.cut(messages)
          const answer = await visitor.get(`${base}${path}`)
          if (answer.status >= 500) assertUnavailable(answer, `${path} after ${messages} messages`)
          seen.add(answer.status)
        }
    assert.ok(seen.has(200) && seen.has(503), [...seen].join())
  })
})
