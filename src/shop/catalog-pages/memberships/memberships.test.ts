import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aClub, aGroup, join } from '#test/clubs.ts'
import { aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer } from '#test/orders.ts'
import { enterShop } from '#test/owned-content.ts'
import { useShopPages } from '#test/shop-pages.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * HOUR).toISOString()

const enter = (customer: Wire) => enterShop(service, pages.shop, pages.base, customer)
const pageOf = async (visitor: Visitor, product: Wire) =>
  (await visitor.get(`${pages.base}/products/${product.id}`)).text
const INCLUDED = /<ul class="included-in">[\s\S]*?<\/ul>/
const namedOn = (text: string) =>
  [...(INCLUDED.exec(text)?.[0] ?? '').matchAll(/<span>([^<]*)<\/span><\/li>/g)].map(([, words]) => words)
/** The buttons of the page that use or buy the product, in their order. */
const buttonsOn = (text: string) =>
  [
    ...text.matchAll(
      /<button class="btn([^"]*)">(?:<svg(?:(?!<button)[\s\S])*?<\/svg>)?\s*((?:Watch|Read|Open|Buy|Rent)[^<]*)</g,
    ),
  ].map(([, look = '', words = '']) => `${words}${look.includes('primary') ? ' (first)' : ''}`)

describe('the page of a product', () => {
  test('says to everybody which groups include it, in their language, and from when', async () => {
    const { shop, base } = pages
    const locales = [
      { language_id: 'en', shop_name: 'Shop' },
      { language_id: 'de', shop_name: 'Laden' },
    ]
    await shop.put(`/api/themesettings/${base.split('/').at(-1)}.json`, { ThemeSetting: { locales } })
    const title = 'Filmklub <b>'
    const { group, film } = await aClub(service, shop, {
      group: { locales: [{ language_id: 'de', title, description: '' }] },
    })
    const guest = pages.comeIn()
    assert.deepEqual(namedOn(await pageOf(guest, film)), ['Included in Kino Club'])
    const german = pages.comeIn({ 'accept-language': 'de' })
    assert.deepEqual(namedOn(await pageOf(german, film)), ['In Filmklub &lt;b&gt; enthalten'])
    await shop.put(`/api/groups/${group.id}.json`, { group: { title: 'Cinema Club' } })
    assert.deepEqual(namedOn(await pageOf(guest, film)), ['Included in Cinema Club'])
    await shop.put(`/api/groups/${group.id}.json`, { group: { valid: false } })
    assert.deepEqual(namedOn(await pageOf(guest, film)), [])
    const later = await aGroup(service, shop, { title: 'Night Club', kind: 'access' })
    const groups = [{ group_id: 's999' }, { group_id: later.id, start_at: '2999-01-02T00:00:00' }]
    const name = async (groups: object[]) => {
      const answer = await shop.put(`/api/products/${film.id}.json`, { product: { groups } })
      assert.equal(answer.status, 200, answer.text)
    }
    await name(groups)
    assert.deepEqual(namedOn(await pageOf(guest, film)), ['In Night Club from 2 January 2999'])
    const over = [{ group_id: 's999' }, { group_id: later.id, start_at: null, end_at: '2001-01-02T00:00:00' }]
    await name(over)
    assert.deepEqual(namedOn(await pageOf(guest, film)), [])
    // Sharing groups have the letter p: this is another way to name all of them, and one that nobody has made.
    const family = await aGroup(service, shop, { title: 'Family', kind: 'sharing' })
    await name([{ group_id: 'p-1' }, { group_id: 'c999' }])
    assert.deepEqual(namedOn(await pageOf(guest, film)), ['Included in Family'])
    await shop.delete(`/api/groups/${family.id}.json`)
    assert.deepEqual(namedOn(await pageOf(guest, film)), [])
    const mug = await aProduct(shop, { product_type: 6, published: true, groups: [{ group_id: later.id }] })
    assert.deepEqual(namedOn(await pageOf(guest, mug)), [])
  })

  test('leads members straight to playing, and nobody else, whoever looks first', async () => {
    const { shop, base } = pages
    const { film, customer, member } = await aClub(service, shop)
    const [inside, outside, guest, other] = [
      await enter(customer),
      await enter(await aBuyer(shop)),
      pages.comeIn(),
      await enter(customer),
    ]
    const forMembers = ['Watch now (first)', 'Buy for €11.90', 'Watch now (first)', 'Buy for €11.90']
    const forAll = ['Buy for €11.90 (first)', 'Buy for €11.90 (first)']
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(buttonsOn(await pageOf(inside, film)), forMembers)
      assert.match(await pageOf(other, film), /Included in your membership of Kino Club/)
      for (const visitor of [outside, guest]) {
        const text = await pageOf(visitor, film)
        assert.deepEqual(buttonsOn(text), forAll)
        assert.deepEqual(namedOn(text), ['Included in Kino Club'])
      }
    }
    let age: string | null = null
    while (age === null) age = (await service.call('GET', `${base}/products/${film.id}`)).headers.get('age')
    await inside.get(`${base}/products/${film.id}`)
    const player = await inside.follow(await inside.submit(`${base}/my-content/open`))
    assert.match(player.text, /<button class="play">/)
    await shop.put(member.path, { [member.key]: { ends_at: inHours(1) } })
    assert.deepEqual(buttonsOn(await pageOf(inside, film)), forMembers)
    service.clock.advance(7200)
    assert.deepEqual(buttonsOn(await pageOf(inside, film)), forAll)
    service.clock.advance(-7200)
  })

  test('is that of a visitor for members of another group, and of a group of another company with the same name', async () => {
    const { shop } = pages
    const { film } = await aClub(service, shop)
    const stranger = await aBuyer(shop)
    const elsewhere = await aGroup(service, shop, { title: 'Book Club' })
    await join(shop, elsewhere.id, stranger.token)
    assert.deepEqual(buttonsOn(await pageOf(await enter(stranger), film)), [
      'Buy for €11.90 (first)',
      'Buy for €11.90 (first)',
    ])
    const abroad = await service.openShop()
    const mirrored = await aClub(service, abroad)
    assert.equal((await pages.comeIn().get(`${pages.base}/products/${mirrored.film.id}`)).status, 404)
  })
})
