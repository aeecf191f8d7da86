import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { adminPage, ownerPage } from '#test/admin.ts'
import { PASSWORD, useService } from '#test/harness.ts'
import { aMember, registerApp, turnOnSecondFactor } from '#test/people.ts'
import { secondFactorsOf } from '#test/second-factors.ts'
import { auditOf } from '#test/users.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
before(() => service.clock.stop())
const { scene } = secondFactorsOf(service)

const SETTINGS = '/sign_in_settings.json'
const required = (second_factor_required: boolean) => ({ sign_in_settings: { second_factor_required } })

/** A company whose owner signs in in two steps, and a colleague who does not. */
async function open() {
  const { shop, visitor } = await scene()
  const colleague = await aMember(service, shop, PASSWORD)
  return { shop, owner: adminPage(service, visitor), colleague, page: adminPage(service, colleague.visitor) }
}

describe('two-step sign-in that a company requires', () => {
  test('keeps everybody who has not set it up from everything but the own account', async () => {
    const { owner, page, colleague } = await open()
    assert.deepEqual((await owner.get(SETTINGS)).body.sign_in_settings, {
      second_factor_required: false,
      users_without_second_factor: 1,
    })
    assert.equal((await page.get('/products.json')).status, 200)
    assert.equal((await owner.put(SETTINGS, required(true))).body.sign_in_settings.second_factor_required, true)

    for (const path of ['/products.json', '/company.json', '/users.json', '/files.json']) {
      const { status, body } = await page.get(path)
      assert.deepEqual([status, body.reason], [403, 'second_factor_missing'], path)
    }
    const { status, body } = await page.get('/session.json')
    assert.deepEqual([status, body.session.second_factor_missing], [200, true])
    assert.equal((await owner.get('/products.json')).status, 200)

    await turnOnSecondFactor(service, colleague.visitor)
    assert.equal((await page.get('/products.json')).status, 200)
    assert.equal((await page.get('/session.json')).body.session.second_factor_missing, false)
    assert.equal((await owner.get(SETTINGS)).body.sign_in_settings.users_without_second_factor, 0)
  })

  test('lets nobody let an app in without it', async () => {
    const { shop, owner, colleague } = await open()
    await owner.put(SETTINGS, required(true))
    const { status, location } = await colleague.visitor.get('/admin')
    assert.deepEqual([status, location], [200, undefined])
    const redirect_uri = 'https://app.example.com/back'
    const { client_id } = await registerApp(service, shop, [redirect_uri])
    const asked = new URLSearchParams({ client_id, redirect_uri, scope: 'orders' })
    const prompt = await colleague.visitor.get(`/oauth2/auth?${asked}`)
    assert.deepEqual([prompt.status, prompt.location], [303, '/admin'])
  })

  test('lets somebody of a partner who has not set it up back to their own company, and nowhere else', async () => {
    const partner = await service.openShop()
    const [asking, other] = [
      await service.openShop({ partnerId: partner.companyId }),
      await service.openShop({ partnerId: partner.companyId }),
    ]
    await service.db
      .updateTable('companies')
      .set({ second_factor_required: true })
      .where('id', '=', asking.companyId)
      .execute()
    const page = await ownerPage(service, partner)
    const go = (company_id: number) => page.post('/session/switch.json', { session: { company_id } })
    const there = await go(asking.companyId)
    assert.deepEqual([there.status, there.body.session.second_factor_missing], [200, true])
    assert.equal((await page.get('/products.json')).body.reason, 'second_factor_missing')
    const refused = await go(other.companyId)
    assert.deepEqual([refused.status, refused.body.reason], [403, 'second_factor_missing'])
    const { status, body } = await go(partner.companyId)
    assert.deepEqual(
      [status, body.session.company.id, body.session.second_factor_missing],
      [200, partner.companyId, false],
    )
    assert.equal((await page.get('/products.json')).status, 200)
  })

  test('lets nobody of a partner let an app in for the company without it', async () => {
    const { shop: partner, owner } = await open()
    const associate = await service.openShop({ partnerId: partner.companyId })
    await owner.post('/session/switch.json', { session: { company_id: associate.companyId } })
    assert.equal((await owner.put(SETTINGS, required(true))).status, 200)
    const redirect_uri = 'https://app.example.com/back'
    const { client_id } = await registerApp(service, partner, [redirect_uri])
    const asked = new URLSearchParams({ client_id, redirect_uri, scope: 'orders' })
    const { visitor } = await aMember(service, partner, PASSWORD)
    const allow = async () => {
      await visitor.get(`/oauth2/auth?${asked}`)
      return visitor.submit(/oauth2/, { decision: 'allow', company: String(associate.companyId) })
    }
    const refused = await allow()
    assert.ok(refused.status >= 400, refused.location ?? '')
    await turnOnSecondFactor(service, visitor)
    assert.match((await allow()).location ?? '', new RegExp(`companyid=${associate.companyId}`))
  })

  test('is required only by somebody who has it, and is on record', async () => {
    const { shop, owner, page } = await open()
    const refused = await page.put(SETTINGS, required(true))
    assert.equal(refused.status, 403, 'a colleague who may not manage users')
    const manager = await aMember(service, shop)
    await shop.put(`/api/users/${manager.id}.json`, { user: { permissions: { create_users: 1 } } })
    const alone = adminPage(service, manager.visitor)
    const wrong = await alone.put(SETTINGS, required(true))
    assert.deepEqual([wrong.status, wrong.body.reason], [422, 'own_second_factor_off'])
    for (const value of [true, true, false])
      assert.equal((await owner.put(SETTINGS, required(value))).status, 200, String(value))
    const entries = (await auditOf(service, shop)).filter(({ action }) => action === 'company changed')
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      ['second_factor_required true', 'second_factor_required false'],
    )
  })

  test('is not changed by somebody who has read another version', async () => {
    const { owner } = await open()
    const etag = (await owner.get(SETTINGS)).headers.get('etag') ?? ''
    await owner.put(SETTINGS, required(true))
    const late = await owner.call('PUT', SETTINGS, required(false), {
      'if-match': etag,
      'sec-fetch-site': 'same-origin',
    })
    assert.equal(late.status, 412)
  })
})
