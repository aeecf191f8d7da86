import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { aSale, ask } from '#test/entitlements.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder } from '#test/orders.ts'
import { cancel, refund } from '#test/sales.ts'
import { storedDocument } from './present.ts'
import { readEntitlementIds, readEntitlements } from './queries.ts'
import { rewriteDocuments } from './release.commands.ts'

const service = useService()
const MIGRATION = new URL('../../../migrations/0053_entitlements.sql', import.meta.url)
const HOUR = 3600

async function content(shop: Shop, { token }: { token: string }): Promise<Wire[]> {
  return (await shop.get(`/api/customers/${token}/content.json`)).body.content
}

/** Orders of every fate: paid, refunded in part, cancelled, with a code, and not confirmed. */
async function aYearOfSales() {
  const shop = await service.openShop()
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const terms = {
    total_downloads: 3,
    annual_downloads: 2,
    total_concurrent_devices: 2,
    expire_after_first_use: 48,
    expiration_date: '2035-01-01T00:00:00',
    disable_on_clock_rollback: 1,
  }
  const license = await aLicense(service, shop, { name: 'Rent', ...terms })
  const film = await aProduct(shop, { price_license_binding: [{ license_id: license.id, price_id: price.id }] })
  const customer = await aBuyer(shop)
  const buy = (quantity: number, attributes: object = {}) =>
    anOrder(shop, customer, [{ product_id: film.product_id, quantity }], attributes)
  await buy(1)
  const part = await buy(3)
  await refund(shop, part.id, { refund_line_items: [{ line_item_id: part.line_items[0].id, quantity: 1 }] })
  await cancel(shop, (await buy(2)).id)
  await buy(1, { generate_codes: true })
  await buy(1, { confirmed: false })
  return { shop, customer }
}

test('an upgrade grants what was sold before, as it would be granted today', async () => {
  const { shop, customer } = await aYearOfSales()
  const before = await content(shop, customer)
  assert.equal(before.length, 7)
  const text = await readFile(MIGRATION, 'utf8')
  const statement = text.slice(text.indexOf('insert into entitlements'))
  await inTransaction(service.db, async (tx) => {
    await sql`delete from entitlements where company_id = ${shop.companyId}`.execute(tx)
    await sql.raw(statement.replace(/\n {2}order by[^;]*;/, ` and line.company_id = ${shop.companyId};`)).execute(tx)
  })
  const told = ({ id: _id, updated_at: _updated, revoked_at: _revoked, ...entitlement }: Wire) => entitlement
  const inOrder = (list: Wire[]) =>
    list.map(told).toSorted((one, other) => one.order_id - other.order_id || one.piece - other.piece)
  assert.deepEqual(inOrder(await content(shop, customer)), inOrder(before))
})

/** Stored documents that still hold, beside those that are presented now. */
async function compare(shop: Shop): Promise<number> {
  const now = service.clock.now()
  const { companyId } = shop
  const rows = await service.db
    .selectFrom('entitlements')
    .select(['id', 'document', 'document_until', 'language'])
    .where('company_id', '=', companyId)
    .execute()
  const holding = rows.filter((row) => row.document_until === null || row.document_until > now)
  const fresh = await readEntitlements(
    service.db,
    companyId,
    holding.map(({ id }) => id),
  )
  const stored = new Map(holding.map(({ id, document }) => [id, document]))
  for (const { entitlement, language } of fresh)
    assert.deepEqual(
      JSON.parse(stored.get(entitlement.id) ?? '{}'),
      JSON.parse(storedDocument(entitlement, language, now)),
    )
  return holding.length
}

test('a stored document is what would be presented now, for as long as it says that it holds', async () => {
  const { shop: opened, customer } = await aYearOfSales()
  let shop = opened
  const owned = await content(shop, customer)
  let seen = 0
  const actions = ['play', 'download', 'play', 'export', 'download', 'play']
  for (let step = 0; step < 24; step += 1) {
    const { id } = owned[(step * 5) % owned.length]
    const time = service.clock.now()
    const client_time = new Date(time.getTime() - (step % 4 === 3 ? HOUR * 1000 : 0)).toISOString()
    const use = { action: actions[step % actions.length], device: `device ${step % 3}`, client_time }
    assert.equal((await shop.post(`/api/entitlements/${id}/use.json`, { use })).status, 200)
    seen += await compare(shop)
    service.clock.advance([60, 5 * 60, 20 * 60, 30 * HOUR, 400 * 24 * HOUR][step % 5] ?? 0)
    shop = await shop.asUser(shop.userId)
    seen += await compare(shop)
  }
  assert.ok(seen > 100, `only ${seen} documents held`)
  const ids = await readEntitlementIds(service.db, shop.companyId, 0, 100)
  const listed = await content(shop, customer)
  await inTransaction(service.db, (tx) => rewriteDocuments(tx, shop.companyId, ids, service.clock.of(shop.companyId)))
  assert.deepEqual(await content(shop, customer), listed)
})

test('devices are forgotten with the customer, and what was bought stays', async () => {
  const { shop, customer } = await aYearOfSales()
  const [{ id }] = await content(shop, customer)
  const use = { action: 'play', device: 'tv', country: 'DE' }
  await shop.post(`/api/entitlements/${id}/use.json`, { use })
  assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
  await service.runJobs()
  const { uses } = (await shop.get(`/api/entitlements/${id}/uses.json`)).body
  assert.deepEqual([uses[0].device, uses[0].country], [null, null])
  const devices = await service.db.selectFrom('devices').where('company_id', '=', shop.companyId).select('id').execute()
  assert.deepEqual(devices, [])
  assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.state, 'active')
})

test('entitlements speak another language where one is asked for', async () => {
  const { shop, customer, content } = await aSale(service, { total_downloads: 1 })
  await shop.put(`/api/customers/${customer.token}.json`, { customer: { language: 'de' } })
  const [{ id }] = content
  const path = `/api/entitlements.json?customer_token=${customer.token}`
  assert.equal((await shop.get(path)).body.entitlements[0].terms, 'Unbefristet. 1 Download.')
  const listed = (await shop.get(`${path}&language=fr`)).body.entitlements[0]
  assert.equal(listed.terms, 'Sans limite de durée. 1 téléchargement.')
  assert.deepEqual((await shop.get(`/api/entitlements/${id}.json?language=fr`)).body.entitlement, listed)
  // An unknown one falls back to English, as everywhere.
  assert.match((await shop.get(`${path}&language=xx`)).body.entitlements[0].terms, /1 download/)
  await ask(shop, 'use', id, { action: 'download' })
  const { body } = await shop.get(`/api/entitlements/${id}/explain.json?action=download&language=en`)
  assert.equal(body.explanation.decision.reason, 'All downloads are used up.')
  assert.equal((await shop.get(`${path}&language=${'x'.repeat(11)}`)).status, 422)
})
