import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
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
      ['recommended', 'recommended.example.com', 'recommended.example.com'],
    )
    assert.equal((await put(shop, id, { shop_domain: '' })).domain, `recommended.${OWN}`)
    assert.equal((await put(shop, id, { vanity_domain: null })).domain, `${id}.${OWN}`)
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
    const stranger = await service.openShop()
    const own = await firstOf(stranger)
    assertBlames(await send(stranger, own.id, { access_domain: 'xn--BCHEREI-n2a.example.' }), ['access_domain'])
  })
})

describe('a domain belongs to one shop of the whole platform', () => {
  const ways = [
    ['shop_domain', 'shop_domain', 'one.example.com'],
    ['shop_domain', 'access_domain', 'two.example.com'],
    ['access_domain', 'shop_domain', 'three.example.com'],
    ['access_domain', 'access_domain', 'four.example.com'],
    ['vanity_domain', 'vanity_domain', 'five'],
  ] as const
  for (const [held, wanted, host] of ways) {
    test(`${wanted} cannot be what another company has as ${held}, and the error does not name the company`, async () => {
      const owner = await service.openShop()
      const stranger = await service.openShop()
      const { company_name } = (await owner.get('/api/companies.json')).body.company
      const [first, second] = [await firstOf(owner), await firstOf(stranger)]
      await put(owner, first.id, { [held]: host })
      const refused = await send(stranger, second.id, { [wanted]: host.toUpperCase() })
      assertBlames(refused, [wanted])
      assert.deepEqual(refused.body.errors[wanted], ['is taken'])
      for (const telling of [company_name, owner.companyId, first.id]) assert.ok(!refused.text.includes(`${telling}`))
      assertBlames(await stranger.post('/api/themesettings.json', { ThemeSetting: { [wanted]: host } }), [wanted])
      assert.deepEqual(await readThemeSetting(stranger, second.id), second)
    })
  }

  test('nor what another shop of the same company has', async () => {
    const shop = await service.openShop()
    await aThemeSetting(shop, { shop_domain: 'same.example.com' })
    const refused = await shop.post('/api/themesettings.json', { ThemeSetting: { access_domain: 'same.example.com' } })
    assertBlames(refused, ['access_domain'])
  })

  test('of those who want it at once exactly one gets it, and the others can have it later', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => service.openShop()))
    const settings = await Promise.all(shops.map(firstOf))
    const wishes = settings.map((_, index) =>
      index % 2 === 0 ? { shop_domain: 'wanted.example.com' } : { access_domain: 'wanted.example.com' },
    )
    const ask = () => Promise.all(shops.map((shop, index) => send(shop, settings[index].id, wishes[index] ?? {})))
    const answers = await ask()
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422, 422])
    const winner = answers.findIndex(({ status }) => status === 200)
    for (const [index, answer] of answers.entries())
      if (index !== winner) assertBlames(answer, Object.keys(wishes[index] ?? {}))
    assert.equal((await find('wanted.example.com'))?.company_id, shops[winner]?.companyId)
    // Its owner may send it again; no other company may.
    assert.deepEqual(
      (await ask()).map(({ status }) => status),
      answers.map(({ status }) => status),
    )
  })

  test('two who want the same two, each the other way round, do not lock each other out', async () => {
    const shops = await Promise.all([service.openShop(), service.openShop()])
    const ids = (await Promise.all(shops.map(firstOf))).map(({ id }) => id)
    const [left, right] = ['left.example.com', 'right.example.com']
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([
        send(shops[0], ids[0], { shop_domain: left, access_domain: right }),
        send(shops[1], ids[1], { shop_domain: right, access_domain: left }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
      const loser = answers.findIndex(({ status }) => status === 422)
      assertBlames(answers[loser] as Answer, ['shop_domain', 'access_domain'])
      for (const [index, shop] of shops.entries()) await put(shop, ids[index], { shop_domain: '', access_domain: '' })
    }
  })

  test('none is taken by a change that is refused for another', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const [first, second] = [await firstOf(owner), await firstOf(stranger)]
    await put(owner, first.id, { shop_domain: 'held.example.com' })
    const change = { vanity_domain: 'half', access_domain: 'half.example.com', shop_domain: 'held.example.com' }
    assertBlames(await send(stranger, second.id, change), ['shop_domain'])
    assert.equal(await find(`half.${OWN}`), undefined)
    await put(owner, first.id, { vanity_domain: 'half', access_domain: 'half.example.com' })
  })

  test('the two of one shop can be swapped, and cannot be the same', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    await put(shop, id, { shop_domain: 'here.example.com', access_domain: 'there.example.com' })
    const swapped = await put(shop, id, { shop_domain: 'there.example.com', access_domain: 'here.example.com' })
    assert.deepEqual([swapped.shop_domain, swapped.access_domain], ['there.example.com', 'here.example.com'])
    assertBlames(await send(shop, id, { access_domain: 'there.example.com' }), ['access_domain'])
  })

  test('it is free again when its shop gives it up or is deleted', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const [first, second] = [await firstOf(owner), await firstOf(stranger)]
    const domains = { vanity_domain: 'free', shop_domain: 'free.example.com', access_domain: 'my.free.example.com' }
    await put(owner, first.id, domains)
    await put(owner, first.id, { vanity_domain: '', shop_domain: null, access_domain: '' })
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
    const { locales } = await readThemeSetting(shop, id)
    const texts = locales.map(({ language_id: language, ...texts }: Wire) => ({ ...texts, language }))
    const found = { company_id: shop.companyId, id, shop_offline: true, homepage_url: '', locales: texts }
    assert.deepEqual(await find(`${id}.${OWN}`), { ...found, kind: 'sub_domain' })
    assert.deepEqual(await find(`Found.${OWN}:8443`), { ...found, kind: 'vanity_domain' })
    assert.deepEqual(await find('FOUND.example.com.'), { ...found, kind: 'shop_domain' })
    assert.deepEqual(await find('my.found.example.com:443'), { ...found, kind: 'access_domain' })
    const theOther = { company_id: shop.companyId, id: other.id, shop_offline: false, homepage_url: '', locales: [] }
    assert.deepEqual(await find('other.found.example.com'), { ...theOther, kind: 'shop_domain' })
    assert.deepEqual(await find(`${other.id}.${OWN}`), { ...theOther, kind: 'sub_domain' })
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
    assert.equal((await find('moved.new.example.com'))?.id, second.id)
    assert.equal((await find('moved.new.example.com', 'new.example.com'))?.id, first.id)
  })

  test('is none when it is disabled or deleted', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const enable = (enabled: boolean) =>
      service.db.updateTable('theme_settings').set({ enabled }).where('id', '=', id).execute()
    await put(shop, id, { shop_domain: 'gone.example.com' })
    await enable(false)
    for (const host of [`${id}.${OWN}`, 'gone.example.com']) assert.equal(await find(host), undefined)
    await enable(true)
    for (const host of [`${id}.${OWN}`, 'gone.example.com']) assert.equal((await find(host))?.id, id)
    await shop.delete(`/api/themesettings/${id}.json`)
    for (const host of [`${id}.${OWN}`, 'gone.example.com']) assert.equal(await find(host), undefined)
  })
})
