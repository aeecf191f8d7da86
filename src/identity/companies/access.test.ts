import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertBlames } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()
const PARTNER_FIELDS = ['comment', 'commission_model', 'price_model', 'sales_contact', 'partner']

/** A partner with five associated companies, and an unrelated company. */
async function aPartner() {
  const partner = await service.openShop()
  const associates: Shop[] = []
  for (let count = 0; count < 5; count += 1) associates.push(await service.openShop({ partnerId: partner.companyId }))
  const ids = associates.map(({ companyId }) => companyId)
  return { partner, associates, ids, loner: await service.openShop() }
}

const pathOf = ({ companyId }: Shop) => `/api/companies/${companyId}.json`
const idsOf = (list: { id: number }[]) => list.map(({ id }) => id)

describe('access to a company', () => {
  test('is for the company itself and its partner', async () => {
    const { partner, associates, loner } = await aPartner()
    const [associate, other] = associates as [Shop, Shop]
    const matrix: [string, Shop, Shop, number][] = [
      ['a partner its associate', partner, associate, 200],
      ['a partner itself', partner, partner, 200],
      ['a partner a stranger', partner, loner, 404],
      ['an associate itself', associate, associate, 200],
      ['an associate its partner', associate, partner, 404],
      ['an associate another of the same partner', associate, other, 404],
      ['an associate a stranger', associate, loner, 404],
      ['a stranger an associate', loner, associate, 404],
      ['a stranger a partner', loner, partner, 404],
      ['a stranger itself', loner, loner, 200],
    ]
    for (const [who, reader, target, status] of matrix) {
      assert.equal((await reader.get(pathOf(target))).status, status, `${who} read`)
      const last_name = who
      const answer = await reader.put(pathOf(target), { company: { last_name } })
      assert.equal(answer.status, status, `${who} changed`)
      const { company } = (await target.get(pathOf(target))).body
      assert.equal(company.last_name === last_name, status === 200, who)
      if (status === 404) assert.equal(answer.body.code, 'not_found')
    }
  })

  test('is 404 for an unknown company', async () => {
    const { partner } = await aPartner()
    for (const ref of [1, 0, -1, 'abc', '9223372036854775807', '9223372036854775808', '1.5', '%00', '1e3']) {
      assert.equal((await partner.get(`/api/companies/${ref}.json`)).status, 404, `${ref}`)
      const answer = await partner.put(`/api/companies/${ref}.json`, { company: { last_name: 'X' } })
      assert.equal(answer.status, 404, `${ref}`)
    }
  })

  test('needs the scope companies', async () => {
    const { partner } = await aPartner()
    const others = await partner.withScopes('products', 'users', 'statistics')
    const alone = await partner.withScopes('companies')
    for (const path of ['/api/companies.json', '/api/companies/count.json', pathOf(partner)]) {
      const { status, body } = await others.get(path)
      assert.deepEqual([status, body.code], [403, 'insufficient_scope'], path)
      assert.equal((await alone.get(path)).status, 200, path)
    }
    assert.equal((await others.put(pathOf(partner), { company: { last_name: 'X' } })).status, 403)
  })
})

describe('the fields for partners', () => {
  test('are shown to the partner of a company, in single reads, lists, searches and answers to changes', async () => {
    const { partner, associates } = await aPartner()
    const [associate] = associates as [Shop]
    const { email } = (await associate.get(pathOf(associate))).body.company
    const shown = [
      (await partner.get(pathOf(associate))).body.company,
      (await partner.put(pathOf(associate), { company: { city: 'Ulm' } })).body.company,
      (await partner.get('/api/companies.json')).body.companies[0],
      (await partner.get(`/api/companies/search.json?query=email:${email}`)).body.companies[0],
    ]
    for (const company of shown) {
      assert.equal(company.id, associate.companyId)
      assert.deepEqual(
        PARTNER_FIELDS.map((name) => company[name]),
        ['', 0, 0, '', partner.companyId],
      )
    }
  })

  test('are left out for the company itself, even if it is a partner', async () => {
    const { partner, associates, loner } = await aPartner()
    for (const shop of [partner, loner, ...associates]) {
      const own = [
        (await shop.get(pathOf(shop))).body.company,
        (await shop.get('/api/companies.json?self=1')).body.company,
        (await shop.put(pathOf(shop), { company: { city: 'Ulm' } })).body.company,
      ]
      for (const company of own) {
        assert.equal(company.id, shop.companyId)
        assert.deepEqual(
          PARTNER_FIELDS.filter((name) => name in company),
          [],
        )
      }
    }
  })

  test('cannot be read by naming them in fields', async () => {
    const { loner } = await aPartner()
    const { body } = await loner.get(`${pathOf(loner)}?fields=id,${PARTNER_FIELDS.join()}`)
    assert.deepEqual(body, { company: { id: loner.companyId } })
  })
})

describe('GET /api/companies.json', () => {
  test('returns the company itself if it is not a partner, with any parameters', async () => {
    const { associates, loner } = await aPartner()
    for (const shop of [loner, associates[0] as Shop]) {
      const { company } = (await shop.get(pathOf(shop))).body
      for (const query of ['', '?self=1', '?self=0', '?limit=1', '?updated_at_min=2999-01-01', '?since_id=999999'])
        assert.deepEqual((await shop.get(`/api/companies.json${query}`)).body, { company }, query)
    }
  })

  test('lists the associated companies of a partner, with pages and fields', async () => {
    const { partner, associates, ids } = await aPartner()
    assert.deepEqual(idsOf((await partner.get('/api/companies.json')).body.companies), ids)
    const single = (await partner.get(pathOf(associates[2] as Shop))).body.company
    assert.deepEqual((await partner.get('/api/companies.json?limit=1&page=3')).body.companies, [single])
    const first = await partner.get('/api/companies.json?limit=2&updated_at_min=2001-01-01&fields=id')
    assert.deepEqual(
      first.body.companies,
      ids.slice(0, 2).map((id) => ({ id })),
    )
    const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    assert.match(url, /updated_at_min=2001-01-01/)
    assert.deepEqual(idsOf((await partner.get(url.slice(service.url.length))).body.companies), ids.slice(2, 4))
    const rest = (await partner.get(`/api/companies.json?since_id=${ids[3]}`)).body.companies
    assert.deepEqual(idsOf(rest), ids.slice(4))
    for (const self of ['1', 'true'])
      assert.equal((await partner.get(`/api/companies.json?self=${self}`)).body.company.id, partner.companyId)
    for (const self of ['0', 'false', ''])
      assert.equal((await partner.get(`/api/companies.json?self=${self}`)).body.companies.length, 5)
  })

  test('streams more companies than one batch has', async () => {
    const large = await service.openShop()
    for (let count = 0; count < 205; count += 1) await service.openShop({ partnerId: large.companyId })
    const { companies } = (await large.get('/api/companies.json')).body
    assert.equal(new Set(idsOf(companies)).size, 205)
    assert.deepEqual((await large.get('/api/companies/count.json')).body, { count: 205 })
  })

  test('filters by the time of the last change', async () => {
    const { partner, associates } = await aPartner()
    service.clock.advance(100)
    const [, second, , fourth] = associates as [Shop, Shop, Shop, Shop]
    const { updated_at } = (await second.put(pathOf(second), { company: { city: 'Bonn' } })).body.company
    service.clock.advance(10)
    await partner.put(pathOf(fourth), { company: { city: 'Bonn' } })
    const asked = `updated_at_min=${updated_at}`
    const { companies } = (await partner.get(`/api/companies.json?${asked}`)).body
    assert.deepEqual(idsOf(companies), [second.companyId, fourth.companyId])
    assert.deepEqual((await partner.get(`/api/companies/count.json?${asked}`)).body, { count: 2 })
    const later = `${asked}&since_id=${second.companyId}`
    assert.deepEqual((await partner.get(`/api/companies/count.json?${later}`)).body, { count: 1 })
    for (const path of ['/api/companies.json', '/api/companies/count.json'])
      assertBlames(await partner.get(`${path}?updated_at_min=yesterday`), ['updated_at_min'])
  })
})

describe('GET /api/companies/count.json', () => {
  test('counts the list: the associated companies of a partner, or the one company', async () => {
    const { partner, associates, loner } = await aPartner()
    assert.deepEqual((await partner.get('/api/companies/count.json')).body, { count: 5 })
    for (const shop of [loner, associates[0] as Shop])
      assert.deepEqual((await shop.get('/api/companies/count.json')).body, { count: 1 })
  })
})

describe('GET /api/companies/search.json', () => {
  test('finds associated companies by email address, in any case', async () => {
    const { partner, associates, loner } = await aPartner()
    const [one, two, three] = associates as [Shop, Shop, Shop]
    for (const shop of [one, two]) await shop.put(pathOf(shop), { company: { email: 'Same@example.com' } })
    await loner.put(pathOf(loner), { company: { email: 'same@example.com' } })
    const search = async (query: string) =>
      (await partner.get(`/api/companies/search.json?query=${encodeURIComponent(query)}`)).body.companies
    assert.deepEqual(idsOf(await search('email:SAME@example.com')), [one.companyId, two.companyId])
    assert.deepEqual(idsOf(await search(' email: same@example.com ')), [one.companyId, two.companyId])
    assert.deepEqual(await search('email:same@example.co'), [])
    const { email } = (await three.get(pathOf(three))).body.company
    assert.deepEqual(idsOf(await search(`email:${email}`)), [three.companyId])
    const page = await partner.get('/api/companies/search.json?query=email:same@example.com&limit=1')
    assert.deepEqual(idsOf(page.body.companies), [one.companyId])
    assert.match(page.headers.get('link') ?? '', /query=email/)
  })

  test('refuses any other search', async () => {
    const { partner } = await aPartner()
    for (const query of ['', '?query=', '?query=jane', '?query=email:', '?query=city:Ulm'])
      assertBlames(await partner.get(`/api/companies/search.json${query}`), ['query'])
  })

  test('is for partners only', async () => {
    const { associates, loner } = await aPartner()
    for (const shop of [loner, associates[0] as Shop])
      for (const query of ['', '?query=email:same@example.com']) {
        const { status, body } = await shop.get(`/api/companies/search.json${query}`)
        assert.deepEqual([status, body.code], [403, 'forbidden'])
        assert.match(body.error, /^Only a partner can search companies/)
      }
  })
})
