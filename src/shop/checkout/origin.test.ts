import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { anEmail } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { useShopPages } from '#test/shop-pages.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'

/** Where the order of a visitor who buys a film comes from. */
async function buy(visitor: Visitor): Promise<Wire> {
  const { base } = pages
  // The time may have moved on, and tokens end.
  const shop = await pages.shop.asUser(pages.shop.userId)
  await offer(service, shop, { test: { enabled: true } })
  const { product_id } = await aFilm(service, shop)
  await visitor.post(`${base}/cart`, { product_id })
  await visitor.get(`${base}/checkout`)
  await visitor.follow(await visitor.submit(`${base}/checkout`, { country: 'DE', email: anEmail() }))
  const paid = await visitor.submit(`${base}/checkout/pay`, { gateway: 'Test', card: '4242 4242 4242 4242', now: '1' })
  const [, id] = /Order #(\d+)/.exec((await visitor.follow(paid)).text) ?? []
  const { device_id, landing_site, landing_site_ref, referring_site } = await readOrder(shop, Number(id))
  return { device_id, landing_site, landing_site_ref, referring_site }
}

describe('an order of the shop', () => {
  test('says how the customer came to the shop in this visit', async () => {
    // A visit ends at midnight, so the test begins at noon.
    const noon = 43_200 + 86_400 - ((service.clock.now().getTime() / 1000) % 86_400)
    service.clock.advance(noon)
    const come = (path: string, headers: Record<string, string>) => pages.comeIn(headers).get(`${pages.base}${path}`)
    await come('/?ref=before', { 'user-agent': IPHONE, referer: 'https://old.example/' })
    service.clock.advance(31 * 60)
    await come('/search?q=a&utm_source=letter', {
      'user-agent': IPHONE,
      referer: 'https://search.example/found?by=words',
    })
    await come('/?ref=other', { 'user-agent': 'Another' })
    service.clock.advance(29 * 60)
    await come('/cart', { 'user-agent': IPHONE })
    await service.app.pageViews.flush()
    assert.deepEqual(await buy(pages.comeIn({ 'user-agent': IPHONE })), {
      device_id: 'ios',
      landing_site: '/search',
      landing_site_ref: 'letter',
      referring_site: 'search.example',
    })
    service.clock.advance(-noon - 60 * 60)
  })

  test('says nothing that is not known, and is placed even if views cannot be read', async () => {
    const unknown = { device_id: null, landing_site: null, landing_site_ref: null, referring_site: null }
    assert.deepEqual(await buy(pages.comeIn({ 'user-agent': 'Unknown' })), unknown)
    await sql`alter table page_views rename to hidden_page_views`.execute(service.db)
    try {
      assert.deepEqual(await buy(pages.comeIn({ 'user-agent': 'Unknown' })), unknown)
    } finally {
      await sql`alter table hidden_page_views rename to page_views`.execute(service.db)
    }
  })
})
