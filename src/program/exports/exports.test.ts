import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminPage, adminPage, ownerPage } from '#test/admin.ts'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { PATIENCE_MS } from '#test/patience.ts'
import { aMember, signedIn } from '#test/people.ts'
import { auditOf } from '#test/users.ts'

const service = useService()
const EXPORT = '/company/export.json'

test('the export has everything of the company as the API answers it, and nothing of others', async () => {
  const [shop, other] = [await service.openShop(), await service.openShop()]
  const stranger = await aBuyer(other)
  await anOrder(other, stranger, [await aFilm(service, other)])
  await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop)])
  // More than are read at once.
  for (let index = 0; index < 101; index += 1) await aProduct(shop, { title: `Ä ${index}` })
  const page = await ownerPage(service, shop)
  const { status, headers, body, text } = await page.get(EXPORT)
  assert.equal(status, 200, text)
  assert.equal(headers.get('content-disposition'), `attachment; filename="company-${shop.companyId}.json"`)
  const { external_access_token: secret, ...company } = (await page.get('/company.json')).body.company
  assert.deepEqual(body.company, company)
  // A file is passed on.
  assert.ok(secret && !text.includes(secret))
  for (const name of ['products', 'prices', 'licenses', 'categories', 'customers', 'orders', 'entitlements', 'users']) {
    const answer = await page.get(`/${name}.json`)
    assert.deepEqual(body[name], answer.body[name], name)
    if (name !== 'categories') assert.notEqual(body[name].length, 0, name)
  }
  assert.equal(body.products.length, 102)
  for (const theirs of [stranger.email, stranger.token]) assert.ok(!text.includes(theirs))
})

test('an export is on record, and only for those who may manage users', async () => {
  const shop = await service.openShop()
  const page = await ownerPage(service, shop)
  await page.get(EXPORT)
  const entries = (await auditOf(service, shop)).filter(({ action }) => action === 'company data exported')
  assert.deepEqual(
    entries.map(({ user_id }) => user_id),
    [shop.userId],
  )
  const member = adminPage(service, (await aMember(service, shop)).visitor)
  const refused = await member.get(EXPORT)
  assert.deepEqual([refused.status, refused.body.reason], [403, 'permission_missing'])
})

/** The service hears of the end of a connection a moment after the client. */
async function exportAgain(page: AdminPage): Promise<number> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const { status } = await page.get(EXPORT)
    if (status !== 409 || performance.now() > end) return status
  }
}

test('one export is sent at a time to a company, and the next after it', async () => {
  const [shop, other] = [await service.openShop(), await service.openShop()]
  // More than the buffers of a connection hold, so that it is under way until the client reads on.
  for (let index = 0; index < 40; index += 1)
    await aProduct(shop, {
      comment: 'x'.repeat(65_000),
      locales: [{ language_id: 'en', description: 'y'.repeat(65_000) }],
    })
  const visitor = await signedIn(service, shop)
  const page = adminPage(service, visitor)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const first = await fetch(`${service.url}/admin/api${EXPORT}`, { headers: { cookie } })
  assert.equal(first.status, 200)
  const second = await page.get(EXPORT)
  assert.deepEqual([second.status, second.body.reason], [409, 'export_under_way'])
  assert.equal((await (await ownerPage(service, other)).get(EXPORT)).status, 200)
  assert.equal(JSON.parse(await first.text()).products.length, 40)
  assert.equal(await exportAgain(page), 200)
  const gone = await fetch(`${service.url}/admin/api${EXPORT}`, { headers: { cookie } })
  await gone.body?.cancel()
  assert.equal(await exportAgain(page), 200)
})
