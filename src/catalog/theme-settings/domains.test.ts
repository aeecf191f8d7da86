import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { proveDomains } from '#test/domains.ts'
import { assertBlames, aThemeSetting, readThemeSetting, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { findShopByHost } from './queries.ts'

const service = useService()
const OWN = 'shops.example.com'

beforeEach(() => {
  service.app.baseUrl = `https://${OWN}:8443`
})

async function firstOf(shop: Shop): Promise<Wire> {
  return (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
}

function send(shop: Shop, id: number, ThemeSetting: object): Promise<Answer> {
  return shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
}

async function put(shop: Shop, id: number, change: object): Promise<Wire> {
  const answer = await send(shop, id, change)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.ThemeSetting
}

const find = (host: string, ownHost = OWN) => findShopByHost(service.db, host, ownHost)

describe('the domain of a shop', () => {
  test("is its own, else its vanity label, else its number below the service's host", async () => {
    const shop = await service.openShop()
    const { id, sub_domain, domain } = await firstOf(shop)
    assert.deepEqual([sub_domain, domain], [String(id), `${id}.${OWN}`])
    const domains = { vanity_domain: 'Recommended', shop_domain: 'Recommended.Example.COM' }
    const changed = await put(shop, id, domains)
    assert.deepEqual(
      [changed.vanity_domain, changed.shop_domain, changed.domain],
      ['recommended', 'recommended.example.com', `recommended.${OWN}`],
    )
    await proveDomains(service, shop, 'recommended.example.com')
    assert.equal((await readThemeSetting(shop, id)).domain, 'recommended.example.com')
    assert.equal((await put(shop, id, { shop_domain: '' })).domain, `recommended.${OWN}`)
    assert.equal((await put(shop, id, { vanity_domain: '' })).domain, `${id}.${OWN}`)
    assert.equal((await put(shop, id, { access_domain: 'my.recommended.example.com' })).domain, `${id}.${OWN}`)
  })

  test("follows the service's address without being rewritten", async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    service.app.baseUrl = 'http://other.example.com'
    assert.equal((await readThemeSetting(shop, id)).domain, `${id}.other.example.com`)
    assert.equal((await firstOf(shop)).domain, `${id}.other.example.com`)
  })

  test("can be none of the service's own", async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    for (const name of ['shop_domain', 'access_domain'])
      for (const host of [OWN, `x.${OWN}`, `${id}.${OWN}`, `a.b.${OWN.toUpperCase()}.`])
        assertBlames(await send(shop, id, { [name]: host }), [name])
    assertBlames(await send(shop, id, { vanity_domain: 'admin' }), ['vanity_domain'])
  })

  test('is kept in ASCII, whichever way it was written', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const changed = await put(shop, id, { vanity_domain: 'Bücherei', shop_domain: 'BÜCHEREI.example' })
    assert.deepEqual([changed.vanity_domain, changed.shop_domain], ['xn--bcherei-n2a', 'xn--bcherei-n2a.example'])
    const { id: other } = await aThemeSetting(shop)
    assertBlames(await send(shop, other, { access_domain: 'xn--BCHEREI-n2a.example.' }), ['access_domain'])
  })
})

describe('a label belongs to one shop of the whole platform', () => {
  test('it cannot be what another company has, and the error does not name the company', async () => {
    const owner = await service.openShop()
    const stranger = await service.openShop()
    const { company_name } = (await owner.get('/api/companies.json')).body.company
    const [first, second] = [await firstOf(owner), await firstOf(stranger)]
    await put(owner, first.id, { vanity_domain: 'five' })
    const refused = await send(stranger, second.id, { vanity_domain: 'FIVE' })
    assertBlames(refused, ['vanity_domain'])
    assert.deepEqual(refused.body.errors.vanity_domain, ['is taken'])
    for (const telling of [company_name, owner.companyId, first.id]) assert.ok(!refused.text.includes(`${telling}`))
    assertBlames(await stranger.post('/api/themesettings.json', { ThemeSetting: { vanity_domain: 'five' } }), [
      'vanity_domain',
    ])
    assert.deepEqual(await readThemeSetting(stranger, second.id), second)
  })

  test('of those who want it at once exactly one gets it, and may send it again', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => service.openShop()))
    const settings = await Promise.all(shops.map(firstOf))
    const ask = () =>
      Promise.all(shops.map((shop, index) => send(shop, settings[index].id, { vanity_domain: 'wanted' })))
    const answers = await ask()
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422, 422])
    const winner = answers.findIndex(({ status }) => status === 200)
    assert.equal((await find(`wanted.${OWN}`))?.company_id, shops[winner]?.companyId)
    assert.deepEqual(
      (await ask()).map(({ status }) => status),
      answers.map(({ status }) => status),
    )
  })
})

describe('a domain', () => {
  // Otherwise anybody could keep the owner of a domain from using it here.
  test('can be asked for by any number of companies, and answers for none of them before it is proved', async () => {
    for (const name of ['shop_domain', 'access_domain', 'shop_domain']) {
      const shop = await service.openShop()
      const { id } = await firstOf(shop)
      assert.equal((await put(shop, id, { [name]: 'asked.example.com' }))[name], 'asked.example.com')
    }
    assert.equal(await find('asked.example.com'), undefined)
  })

  test('cannot be what another shop of the same company has', async () => {
    const shop = await service.openShop()
    await aThemeSetting(shop, { shop_domain: 'same.example.com' })
    const refused = await shop.post('/api/themesettings.json', { ThemeSetting: { access_domain: 'same.example.com' } })
    assertBlames(refused, ['access_domain'])
  })

  test('is not taken by a change that is refused for a label', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const [first, second] = [await firstOf(owner), await firstOf(stranger)]
    await put(owner, first.id, { vanity_domain: 'held' })
    const change = { vanity_domain: 'held', access_domain: 'half.example.com', shop_domain: 'whole.example.com' }
    assertBlames(await send(stranger, second.id, change), ['vanity_domain'])
    await proveDomains(service, stranger, 'half.example.com', 'whole.example.com')
    assert.equal(await find('half.example.com'), undefined)
    assert.equal(await find('whole.example.com'), undefined)
  })

  test('can be swapped with the other one of the shop, and cannot be the same', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { shop_domain: 'here.example.com', access_domain: 'there.example.com' })
    const swapped = await put(shop, id, { shop_domain: 'there.example.com', access_domain: 'here.example.com' })
    assert.deepEqual([swapped.shop_domain, swapped.access_domain], ['there.example.com', 'here.example.com'])
    assertBlames(await send(shop, id, { access_domain: 'there.example.com' }), ['access_domain'])
  })

  test('and a label are free again when their shop gives them up or is deleted', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const [first, second] = [await firstOf(owner), await firstOf(stranger)]
    const domains = { vanity_domain: 'free', shop_domain: 'free.example.com', access_domain: 'my.free.example.com' }
    await put(owner, first.id, domains)
    await put(owner, first.id, { vanity_domain: '', shop_domain: '', access_domain: '' })
    await put(stranger, second.id, domains)
    assert.equal((await stranger.delete(`/api/themesettings/${second.id}.json`)).status, 200)
    await put(owner, first.id, domains)
  })
})

describe('the shop behind a host', () => {
  test('is found by each of its names, in any spelling, with what storefronts need to know', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const other = await aThemeSetting(shop, { shop_domain: 'other.found.example.com' })
    await put(shop, id, {
      vanity_domain: 'found',
      shop_domain: 'found.example.com',
      access_domain: 'my.found.example.com',
      shop_offline: true,
    })
    await proveDomains(service, shop, 'found.example.com', 'my.found.example.com', 'other.found.example.com')
    const { locales } = await readThemeSetting(shop, id)
    const texts = locales.map(({ id, language_id, shop_name }: Wire) => ({ id, language: language_id, shop_name }))
    const found = { company_id: shop.companyId, id, shop_offline: true, homepage_url: '', locales: texts }
    assert.partialDeepStrictEqual(await find(`${id}.${OWN}`), { ...found, kind: 'sub_domain' })
    assert.partialDeepStrictEqual(await find(`Found.${OWN}:8443`), { ...found, kind: 'vanity_domain' })
    assert.partialDeepStrictEqual(await find('FOUND.example.com.'), { ...found, kind: 'shop_domain' })
    assert.partialDeepStrictEqual(await find('my.found.example.com:443'), { ...found, kind: 'access_domain' })
    const theOther = { company_id: shop.companyId, id: other.id, shop_offline: false, homepage_url: '', locales: [] }
    assert.partialDeepStrictEqual(await find('other.found.example.com'), { ...theOther, kind: 'shop_domain' })
    assert.partialDeepStrictEqual(await find(`${other.id}.${OWN}`), { ...theOther, kind: 'sub_domain' })
  })

  test('is none under any other name', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { vanity_domain: 'hidden' })
    for (const host of [OWN, 'hidden', String(id), `x.hidden.${OWN}`, `hidden.${OWN}.evil.example`, '127.0.0.1', ''])
      assert.equal(await find(host), undefined, host)
    assert.equal(await find(`hidden.${OWN}`, 'localhost'), undefined)
    assert.equal((await find('hidden.localhost', 'localhost'))?.id, id)
  })

  // A domain that was taken before the service moved there must not take over the shop of a label.
  test('below the service itself is whose label it is, not who once took the name', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const [first, second] = [await firstOf(owner), await firstOf(stranger)]
    await put(owner, first.id, { vanity_domain: 'moved' })
    await put(stranger, second.id, { shop_domain: 'moved.new.example.com' })
    await proveDomains(service, stranger, 'moved.new.example.com')
    assert.equal((await find('moved.new.example.com'))?.id, second.id)
    assert.equal((await find('moved.new.example.com', 'new.example.com'))?.id, first.id)
  })

  test('is none when it is disabled or deleted', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const enable = (enabled: boolean) =>
      service.db.updateTable('theme_settings').set({ enabled }).where('id', '=', id).execute()
    await put(shop, id, { shop_domain: 'gone.example.com' })
    await proveDomains(service, shop, 'gone.example.com')
    await enable(false)
    for (const host of [`${id}.${OWN}`, 'gone.example.com']) assert.equal(await find(host), undefined)
    await enable(true)
    for (const host of [`${id}.${OWN}`, 'gone.example.com']) assert.equal((await find(host))?.id, id)
    await shop.delete(`/api/themesettings/${id}.json`)
    for (const host of [`${id}.${OWN}`, 'gone.example.com']) assert.equal(await find(host), undefined)
  })
})
