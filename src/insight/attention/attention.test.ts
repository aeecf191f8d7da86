import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { saveReview } from '#selling/reviews/commands.ts'
import { adminPage, ownerPage } from '#test/admin.ts'
import { aProduct, type Wire } from '#test/factories.ts'
import { aFailedCopy } from '#test/failed-copies.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, setCompany, someGoods } from '#test/orders.ts'
import { offer, place } from '#test/payments.ts'
import { signedIn } from '#test/people.ts'
import { plansOf, stepsOf } from '#test/plans.ts'
import { aWebhook } from '#test/webhooks.ts'

const service = useService()

async function itemsOf(shop: Pick<Shop, 'get'>): Promise<Wire[]> {
  const answer = await shop.get('/api/attention.json')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.attention.items
}

const countsOf = async (shop: Pick<Shop, 'get'>) =>
  Object.fromEntries((await itemsOf(shop)).map(({ kind, count }) => [kind, count]))

/** A shop in which something of every kind waits, but for the disk. */
async function aBusyShop() {
  const shop = await service.openShop()
  const film = await aFilm(service, shop, 1190, { title: 'Salt House' })
  const mug = await someGoods(service, shop, 5, { title: 'Ferry mug' })
  const buyer = await aBuyer(shop)
  await anOrder(shop, buyer, [{ ...mug, quantity: 1 }])
  await offer(service, shop, { manual: { enabled: true, instructions: 'IBAN DE02' } })
  await place(service, shop, buyer, [film], 'Manual')
  await setCompany(service, shop, { inventory_management_active: true, warn_at_stock_level_below: 5 })
  const lost = await aProduct(shop, { title: 'Polar Night', published: true })
  const failing = await aWebhook(shop, 'https://erp.example.com/hook')
  const off = await aWebhook(shop, 'https://old.example.com/hook', 'order/create')
  const { db } = service
  await sql`update webhooks set failures = 3, first_failed_at = now() where company_id = ${shop.companyId} and id = ${failing.id}`.execute(
    db,
  )
  await sql`update webhooks set is_active = false, inactive_reason = 'failing' where company_id = ${shop.companyId} and id = ${off.id}`.execute(
    db,
  )
  await sql`insert into mails (company_id, recipient, subject, carries_secret, created_at, failed_at)
    values (${shop.companyId}, 'nobody@example.com', 'Hello', false, now(), now())`.execute(db)
  await sql`insert into jobs (company_id, kind, data, created_at, due_at, failed_at)
    values (${shop.companyId}, 'lost work', '{}', now(), now(), now())`.execute(db)
  const [file] = (await shop.get(`/api/files.json?product_id=${film.product_id}`)).body.files
  await aFailedCopy(service, shop, { file_id: file.id })
  const reviewer = { companyId: shop.companyId, productKey: film.id, customerId: buyer.id }
  const said = { stars: 5, text: 'Good.', name: 'Jane' }
  await inTransaction(db, (tx) => saveReview(tx, reviewer, said, true, service.clock.now()))
  await sql`update payments set flags = '{amount}' where company_id = ${shop.companyId}`.execute(db)
  return { shop, film, mug, lost, failing, off }
}

describe('GET /api/attention.json', () => {
  test('has nothing to say of a new company', async () => {
    assert.deepEqual(await itemsOf(await service.openShop()), [])
  })

  test('says what waits, most urgent first, and names the latest', async () => {
    const { shop, film, mug, lost, failing, off } = await aBusyShop()
    assert.deepEqual(await itemsOf(shop), [
      { kind: 'webhooks_deactivated', count: 1, subject: 'old.example.com', subject_id: off.id },
      { kind: 'webhooks_failing', count: 1, subject: 'erp.example.com', subject_id: failing.id },
      { kind: 'payments_flagged', count: 1, subject: null, subject_id: null },
      { kind: 'products_not_buyable', count: 1, subject: 'Polar Night', subject_id: lost.id },
      { kind: 'files_failed', count: 1, subject: 'Salt House', subject_id: film.id },
      { kind: 'mails_failed', count: 1, subject: null, subject_id: null },
      { kind: 'jobs_given_up', count: 1, subject: null, subject_id: null },
      { kind: 'orders_to_ship', count: 1, subject: null, subject_id: null },
      { kind: 'orders_unpaid', count: 1, subject: null, subject_id: null },
      { kind: 'products_low_stock', count: 1, subject: 'Ferry mug', subject_id: mug.id },
      { kind: 'reviews_waiting', count: 1, subject: null, subject_id: null },
    ])
    assert.deepEqual(await itemsOf(await service.openShop()), [])
  })

  test('leads to lists with exactly these products', async () => {
    const { shop, mug, lost } = await aBusyShop()
    const ids = async (query: string) =>
      (await shop.get(`/api/products.json?${query}`)).body.products.map(({ id }: Wire) => id)
    assert.deepEqual(await ids('sale_status=not_buyable'), [lost.id])
    assert.deepEqual(await ids('low_stock=1'), [mug.id])
  })

  test('forgets what was done', async () => {
    const { shop, lost, mug } = await aBusyShop()
    await shop.put(`/api/products/${lost.id}.json`, { product: { published: false } })
    await shop.put(`/api/products/${mug.id}.json`, { product: { items_in_stock: 50 } })
    const counts = await countsOf(shop)
    assert.equal(counts.products_not_buyable, undefined)
    assert.equal(counts.products_low_stock, undefined)
    await setCompany(service, shop, { inventory_management_active: false })
    await shop.put(`/api/products/${mug.id}.json`, { product: { items_in_stock: 1 } })
    assert.equal((await countsOf(shop)).products_low_stock, undefined)
  })

  test('shows an app only what its scopes let it read elsewhere', async () => {
    const { shop } = await aBusyShop()
    const kinds = async (...scopes: Parameters<Shop['withScopes']>) =>
      Object.keys(await countsOf(await shop.withScopes(...scopes)))
    assert.deepEqual(await kinds('companies'), ['mails_failed', 'jobs_given_up'])
    assert.deepEqual(await kinds('companies', 'products'), [
      'products_not_buyable',
      'mails_failed',
      'jobs_given_up',
      'products_low_stock',
      'reviews_waiting',
    ])
    assert.deepEqual(await kinds('companies', 'files'), ['files_failed', 'mails_failed', 'jobs_given_up'])
    assert.equal((await (await shop.withScopes('orders')).get('/api/attention.json')).status, 403)
  })

  test('shows a user only what the permissions let them see', async () => {
    const { shop } = await aBusyShop()
    const page = adminPage(service, await signedIn(service, shop))
    const kinds = async () =>
      (await page.get('/attention.json')).body.attention.items.map(({ kind }: Wire) => kind) as string[]
    assert.deepEqual(await kinds(), Object.keys(await countsOf(shop)))
    await service.db
      .updateTable('users')
      .set({ permissions: sql`permissions || '{"create_users": 0, "accounting": 0}'::jsonb` })
      .where('id', '=', shop.userId)
      .execute()
    const left = await kinds()
    for (const kind of ['mails_failed', 'jobs_given_up', 'payments_flagged']) assert.ok(!left.includes(kind), kind)
    assert.ok(left.includes('orders_to_ship'))
  })

  test('finds products, jobs and mails by an index', async () => {
    const { shop } = await aBusyShop()
    const other = await service.openShop()
    for (let each = 0; each < 300; each += 1) await aProduct(other)
    await sql`insert into mails (company_id, recipient, subject, carries_secret, created_at, sent_at)
      select ${shop.companyId}, 'nobody@example.com', 'Hello', false, now(), now() from generate_series(1, 5000)`.execute(
      service.db,
    )
    await sql`insert into jobs (company_id, kind, data, created_at, due_at)
      select ${shop.companyId}, 'lost work', '{}', now(), now() + interval '1 year' from generate_series(1, 5000)`.execute(
      service.db,
    )
    await sql`analyze products, mails, jobs`.execute(service.db)
    for (const table of ['products', 'mails', 'jobs']) {
      const plans = await plansOf(service, table, () => itemsOf(shop))
      assert.ok(plans.length > 0, table)
      const scanned = plans
        .flatMap(stepsOf)
        .filter((step) => step['Node Type'] === 'Seq Scan' && step['Relation Name'] === table)
      assert.deepEqual(scanned, [], table)
    }
  })

  test('is there for the owner who has signed in', async () => {
    const { shop } = await aBusyShop()
    const page = await ownerPage(service, shop)
    assert.deepEqual((await page.get('/attention.json')).body.attention.items, await itemsOf(shop))
  })
})
