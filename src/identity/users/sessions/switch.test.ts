import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminPage } from '#test/admin.ts'
import { useService } from '#test/harness.ts'
import { aMember, signedIn } from '#test/people.ts'

const service = useService()
const SWITCH = '/session/switch.json'

const to = (company_id: unknown) => ({ session: { company_id } })

/** A partner, and a company that names it. */
async function scene() {
  const partner = await service.openShop()
  const associate = await service.openShop({ partnerId: partner.companyId })
  const visitor = await signedIn(service, partner)
  return { partner, associate, visitor, page: adminPage(service, visitor) }
}

describe('the user of a partner', () => {
  test('goes on to a company that names it, and back, with everything that they do', async () => {
    const { partner, associate, page } = await scene()
    const { session } = (await page.post(SWITCH, to(associate.companyId))).body
    assert.deepEqual([session.company.id, session.user.id], [associate.companyId, partner.userId])
    assert.equal((await page.get('/session.json')).body.session.company.id, associate.companyId)
    const rate = { tax_rate: { country_code: 'FR', percent: 1 } }
    assert.equal((await page.post('/tax_rates.json', rate)).status, 201)
    assert.equal((await associate.get('/api/tax_rates.json')).body.tax_rates.length, 1)
    assert.equal((await partner.get('/api/tax_rates.json')).body.tax_rates.length, 0)
    const own = (await page.get('/user.json')).body.user
    assert.deepEqual([own.id, own.company_id], [partner.userId, partner.companyId], 'the user stays who they are')
    const { audit_entries } = (await page.get('/audit_entries.json?action=company entered')).body
    assert.deepEqual([audit_entries.length, audit_entries[0].user_email], [1, own.email])
    await page.post(SWITCH, to(partner.companyId))
    assert.equal((await page.get('/company.json')).body.company.id, partner.companyId)
  })

  test('stays where they are for a company that does not name it, or is none', async () => {
    const { partner, page } = await scene()
    const stranger = await service.openShop()
    assert.equal((await page.post(SWITCH, to(stranger.companyId))).body.reason, 'company_not_offered')
    for (const id of [0, -1, 1.5, null, 'x', {}, 2 ** 60]) {
      const { status } = await page.post(SWITCH, to(id))
      assert.equal(status, 422, JSON.stringify(id))
    }
    assert.equal((await page.get('/session.json')).body.session.company.id, partner.companyId)
  })

  test('is led back when the company no longer names it', async () => {
    const { partner, associate, page } = await scene()
    await page.post(SWITCH, to(associate.companyId))
    await service.db.updateTable('companies').set({ partner_id: null }).where('id', '=', associate.companyId).execute()
    assert.equal((await page.get('/company.json')).body.company.id, partner.companyId)
    assert.equal((await page.post(SWITCH, to(associate.companyId))).status, 422)
  })

  test('has no more permissions there than at home, and works there in this browser only', async () => {
    const { partner, associate } = await scene()
    const member = await aMember(service, partner)
    const page = adminPage(service, member.visitor)
    assert.equal((await page.post(SWITCH, to(associate.companyId))).status, 200)
    assert.equal((await page.get('/products.json')).status, 200)
    assert.equal((await page.put('/company.json', { company: { tax_options: 2 } })).body.reason, 'permission_missing')
    const other = adminPage(service, await signedIn(service, partner))
    assert.equal((await other.get('/company.json')).body.company.id, partner.companyId)
  })
})

describe('the users of a company with a sandbox', () => {
  test('work in it, and nobody of the sandbox works in the company', async () => {
    const [company, sandbox] = [await service.openShop(), await service.openShop({ sandbox: true })]
    await service.db
      .updateTable('companies')
      .set({ sandbox_of: company.companyId })
      .where('id', '=', sandbox.companyId)
      .execute()
    const page = adminPage(service, await signedIn(service, company))
    const { session } = (await page.post(SWITCH, to(sandbox.companyId))).body
    assert.deepEqual([session.company.id, session.user.id], [sandbox.companyId, company.userId])
    assert.equal((await page.get('/test_clock.json')).status, 200)
    assert.equal((await page.post(SWITCH, to(company.companyId))).status, 200)
    assert.equal((await page.get('/test_clock.json')).body.reason, 'test_clock_not_found')
    const own = adminPage(service, await signedIn(service, sandbox))
    assert.equal((await own.post(SWITCH, to(company.companyId))).body.reason, 'company_not_offered')
  })
})

describe('a tab that shows another company than the session has gone on to', () => {
  test('neither reads nor writes', async () => {
    const { partner, associate, page } = await scene()
    const shown = { origin: service.url, 'licet-company': String(partner.companyId) }
    const rate = { tax_rate: { country_code: 'FR', percent: 1 } }
    assert.equal((await page.call('GET', '/tax_rates.json', undefined, shown)).status, 200)
    await page.post(SWITCH, to(associate.companyId))
    for (const [method, path, body] of [
      ['GET', '/session.json', undefined],
      ['GET', '/tax_rates.json', undefined],
      ['POST', '/tax_rates.json', rate],
      ['PUT', '/company.json', { company: { tax_options: 2 } }],
      ['POST', SWITCH, to(partner.companyId)],
    ] as const) {
      const answer = await page.call(method, path, body, shown)
      assert.deepEqual([answer.status, answer.body.reason], [409, 'company_switched'], path)
    }
    for (const shop of [partner, associate])
      assert.equal((await shop.get('/api/tax_rates.json')).body.tax_rates.length, 0)
    for (const value of ['', 'x', `${associate.companyId}0`])
      assert.equal(
        (await page.call('GET', '/session.json', undefined, { ...shown, 'licet-company': value })).status,
        409,
        value,
      )
  })

  test('goes on with a switch and a change at once: the change is made in one company or refused', async () => {
    const { partner, associate, page } = await scene()
    const shown = { origin: service.url, 'licet-company': String(partner.companyId) }
    const rate = { tax_rate: { country_code: 'IT', percent: 1 } }
    const [, change] = await Promise.all([
      page.post(SWITCH, to(associate.companyId)),
      page.call('POST', '/tax_rates.json', rate, shown),
    ])
    assert.ok([201, 409].includes(change.status), change.text)
    assert.equal((await associate.get('/api/tax_rates.json')).body.tax_rates.length, 0)
  })
})
