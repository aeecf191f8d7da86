import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { adminPage, ownerPage } from '#test/admin.ts'
import { aCustomer } from '#test/customers.ts'
import { PASSWORD, type Service, useService } from '#test/harness.ts'
import { aMember, codeAt, signedIn, toNextStep, turnOnSecondFactor } from '#test/people.ts'
import { aGood, sell } from '#test/sales.ts'
import { auditOf } from '#test/terms.ts'

const service = useService()
const HOME = { addresses: [{ city: 'Berlin', country_code: 'DE' }] }
const PATH = '/company/deletion.json'

const nameOf = async (companyId: number) =>
  (
    await service.db
      .selectFrom('companies')
      .select('company_name')
      .where('id', '=', companyId)
      .executeTakeFirstOrThrow()
  ).company_name

const asking = async (companyId: number, other: object = {}) => ({
  company_deletion: { company_name: await nameOf(companyId), current_password: PASSWORD, ...other },
})

const mailsOf = ({ db }: Service, companyId: number) =>
  db.selectFrom('mails').select(['recipient', 'subject', 'text']).where('company_id', '=', companyId).execute()

describe('the deletion of a company', () => {
  test('is asked for with its name and the password, waits 30 days, and is cancelled by one request', async () => {
    const shop = await service.openShop()
    const product = await aGood(service, shop)
    const page = await ownerPage(service, shop)
    const before = (await page.get(PATH)).body.company_deletion
    assert.deepEqual([before.requested_at, before.requested_by, before.wait_days], [null, null, 30])
    assert.equal((await page.get('/session.json')).body.session.deletion_due_at, null)

    const { status, body } = await page.post(PATH, await asking(shop.companyId))
    assert.equal(status, 201)
    const days = (Date.parse(body.company_deletion.due_at) - service.clock.now().getTime()) / 86_400_000
    assert.ok(days > 29.99 && days <= 30, String(days))
    const year = new Date(body.company_deletion.due_at).getUTCFullYear()
    assert.equal(body.company_deletion.kept_until, `${year + 11}-01-01T00:00:00`)
    assert.equal((await page.get('/session.json')).body.session.deletion_due_at, body.company_deletion.due_at)
    assert.deepEqual((await page.get(PATH)).body, body)

    const line_items = [{ product_id: product.product_id }]
    const order = { line_items, customer_token: (await aCustomer(shop, HOME)).token }
    const refused = await shop.post('/api/orders.json', { order })
    assert.deepEqual([refused.status, refused.body.reason], [403, 'orders_not_accepted'])
    assert.equal((await shop.get('/api/products.json')).status, 200)
    const twice = await page.post(PATH, await asking(shop.companyId))
    assert.deepEqual([twice.status, twice.body.reason], [409, 'company_deletion_requested'])

    assert.deepEqual((await page.delete(PATH)).body, {})
    assert.equal((await page.get(PATH)).body.company_deletion.requested_at, null)
    await sell(shop, [{ product }])
    const again = await page.delete(PATH)
    assert.deepEqual([again.status, again.body.reason], [409, 'company_deletion_not_requested'])
    const actions = (await auditOf(service, shop)).map(({ action }) => action).filter((each) => /deletion/.test(each))
    assert.deepEqual(actions, ['company deletion requested', 'company deletion cancelled'])
  })

  test('tells everybody who may cancel it, in their language', async () => {
    const shop = await service.openShop()
    const [manager, other] = [await aMember(service, shop), await aMember(service, shop)]
    await shop.put(`/api/users/${manager.id}.json`, { user: { permissions: { create_users: 1 }, language: 'de' } })
    const page = await ownerPage(service, shop)
    assert.equal((await page.post(PATH, await asking(shop.companyId))).status, 201)
    const told = (await mailsOf(service, shop.companyId)).filter(({ subject }) => /deleted|gelöscht/.test(subject))
    assert.equal(told.length, 2)
    assert.ok(told.every(({ text }) => text?.includes('/admin/settings/company')))
    assert.match(told.find(({ recipient }) => recipient === manager.email)?.subject ?? '', /wird gelöscht$/)
    assert.ok(!told.some(({ recipient }) => recipient === other.email))
    // Whoever was told may cancel it, without everything else.
    assert.equal((await adminPage(service, manager.visitor).delete(PATH)).status, 200)
    assert.equal((await adminPage(service, other.visitor).delete(PATH)).status, 403)
  })

  test('is refused with another name, a wrong password, without a code, and to a partner', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop({ partnerId: partner.companyId })
    const page = await ownerPage(service, shop)
    const refuse = async (other: object, field: string, reason: string) => {
      const { status, body } = await page.post(PATH, await asking(shop.companyId, other))
      assert.deepEqual([status, body.field_errors[field]?.[0]?.reason], [422, reason])
    }
    await refuse({ company_name: 'Another' }, 'company_name', 'company_name_differs')
    await refuse({ company_name: '' }, 'company_name', 'company_name_differs')
    await refuse({ current_password: 'something else' }, 'current_password', 'current_password_wrong')
    for (const company_deletion of [null, {}, { company_name: 7 }, { company_name: 'x'.repeat(5000) }, []])
      assert.match(String((await page.post(PATH, { company_deletion })).status), /^4(00|22)$/)

    const theirs = await ownerPage(service, partner)
    await theirs.post('/session/switch.json', { session: { company_id: shop.companyId } })
    const acting = await theirs.post(PATH, await asking(shop.companyId))
    assert.deepEqual([acting.status, acting.body.reason], [403, 'company_deletion_of_another'])

    const visitor = await signedIn(service, shop)
    const { secret } = await turnOnSecondFactor(service, visitor)
    toNextStep(service)
    const second = adminPage(service, visitor)
    for (const code of [undefined, '', '000000'])
      assert.equal((await second.post(PATH, await asking(shop.companyId, { code }))).status, 422)
    const code = codeAt(secret, service.clock.now())
    // A wrong name costs no code.
    assert.equal((await second.post(PATH, await asking(shop.companyId, { company_name: 'No', code }))).status, 422)
    assert.equal((await second.post(PATH, await asking(shop.companyId, { code }))).status, 201)
  })

  test('takes as many guesses of the code as a sign-in', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    await turnOnSecondFactor(service, visitor)
    const page = adminPage(service, visitor)
    const body = await asking(shop.companyId, { code: '123456' })
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 50) statuses.push((await page.post(PATH, body)).status)
    assert.equal(statuses.at(-1), 429)
  })

  describe('asked for twice at once', () => {
    let answers: number[]
    before(async () => {
      const shop = await service.openShop()
      const page = await ownerPage(service, shop)
      const body = await asking(shop.companyId)
      answers = (await Promise.all([page.post(PATH, body), page.post(PATH, body)])).map(({ status }) => status)
    })
    test('is asked for once', () => assert.deepEqual(answers.sort(), [201, 409]))
  })
})
