import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statementCount } from '#platform/db/database.ts'
import { aClub, aClubFilm, aGroup, join } from '#test/clubs.ts'
import { aProduct, aThemeSetting, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { enterShop } from '#test/owned-content.ts'
import { useShopPages } from '#test/shop-pages.ts'
import type { PageAnswer, Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)
/** The session, the cart, and in My Content the shelf, its counts, what is begun, and the products. */
const [OWN, PRODUCT] = [6, 2]

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * HOUR).toISOString()
const dayIn = (hours: number) =>
  new Date(service.clock.now().getTime() + hours * HOUR).toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  })

const enter = (customer: Wire, shop = pages.shop) => enterShop(service, shop, pages.base, customer)
const library = async (visitor: Visitor) => (await visitor.get(`${pages.base}/my-content`)).text
const open = (visitor: Visitor, product: number | string) =>
  visitor.post(`${pages.base}/my-content/open`, { product_id: String(product) })
/** The text of a page without its tags, and without the letters that stand for pictures. */
const saidOn = (text: string) =>
  text
    .replace(/<span class="blank"[^>]*>.<\/span>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

async function countOpened(customer: Wire): Promise<number> {
  const { content } = (await pages.shop.get(`/api/customers/${customer.token}/content.json`)).body
  return content.filter(({ group_id }: Wire) => group_id !== undefined).length
}

/** Tokens end before a membership does. */
async function later<Result>(hours: number, look: (shop: Shop) => Promise<Result>): Promise<Result> {
  service.clock.advance(hours * 3600)
  try {
    return await look(await pages.shop.asUser(pages.shop.userId))
  } finally {
    service.clock.advance(-hours * 3600)
  }
}

function assertRefused(answer: PageAnswer, status: number): void {
  assert.equal(answer.status, status)
  assert.match(answer.text, /role="alert">None of your memberships includes this at the moment\./)
}

describe('My Content of a member', () => {
  test('shows what the group includes, and one press leads to the player', async () => {
    const { shop, base } = pages
    const { group, film, customer } = await aClub(service, shop, {
      times: { ends_at: inHours(240) },
      product: { title: 'Kelp' },
    })
    const visitor = await enter(customer)
    const text = await library(visitor)
    assert.match(text, new RegExp(`<h2 id="membership-${group.id}" dir="auto">Kino Club</h2>`))
    assert.match(saidOn(text), new RegExp(`Kino Club 1 title · Member until ${dayIn(240)} Kelp`))
    assert.doesNotMatch(text, /You own nothing here yet|See all/)
    assert.equal(await countOpened(customer), 0, 'looking opens nothing')
    const opened = await visitor.submit(`${base}/my-content/open`)
    const player = await visitor.follow(opened)
    assert.match(opened.location ?? '', /\/my-content\/\d+\/open$/)
    assert.match(player.text, /<button class="play">/)
    assert.equal((await visitor.follow(await open(visitor, film.id))).status, 200)
    assert.equal(await countOpened(customer), 1)
    const id = opened.location?.split('/').at(-2)
    const item = saidOn((await visitor.get(`${base}/my-content/${id}`)).text)
    assert.match(item, /In Kino Club/)
    assert.match(item, /For as long as you are a member\./)
    assert.doesNotMatch(item, /Yours/)
  })

  test('continues what was begun, and says what ended, when, and what to do', async () => {
    const { shop, base } = pages
    const { film, customer } = await aClub(service, shop, {
      times: { ends_at: inHours(240) },
      product: { title: 'Salt' },
    })
    const bought = await aFilm(service, shop, 1190, { title: 'Mine for good' })
    await anOrder(shop, customer, [{ product_id: bought.product_id }])
    const visitor = await enter(customer)
    const id = (await open(visitor, film.id)).location?.split('/').at(-2)
    const [file] = (await shop.get(`/api/entitlements/${id}/files.json`)).body.files
    const place = { file: String(file.id), seconds: '1500', duration: '6000' }
    assert.equal((await visitor.post(`${base}/my-content/${id}/progress`, place)).status, 204)
    assert.match(await library(visitor), new RegExp(`id="started"[\\s\\S]*${id}/play[\\s\\S]*Salt`))
    const ended = dayIn(240)
    await later(241, async (again) => {
      const after = await enter(customer, again)
      const text = await library(after)
      const said = saidOn(text)
      assert.match(said, new RegExp(`Your membership of Kino Club ended on ${ended}\\. Contact`))
      assert.match(said, new RegExp(`Ended Membership ended on ${ended} Salt Your membership has ended\\.`))
      assert.match(text, new RegExp(`href="${base}/products/${film.id}">See it in the shop<`))
      assert.doesNotMatch(text, /id="started"/)
      assert.match(said, /Films Mine for good/)
      assertRefused(await open(after, film.id), 403)
      const refused = await after.post(`${base}/my-content/${id}/play`, { file: String(file.id) })
      assert.equal(refused.status, 403)
      assert.match(refused.text, /Your membership has ended[\s\S]*Back to My Content/)
      // What was bought meanwhile is no loss.
      await anOrder(again, customer, [{ product_id: film.product_id }])
      assert.doesNotMatch(saidOn(await library(after)), /Membership ended on/)
    })
  })

  test('says that a product has left the group, that the group is closed, and that the member was taken off it', async () => {
    const { shop } = pages
    const { group, film, customer, member } = await aClub(service, shop, {
      entry: { end_at: inHours(2) },
      product: { title: 'Fyr' },
    })
    const visitor = await enter(customer)
    await open(visitor, film.id)
    const left = dayIn(2)
    await later(3, async (again) => {
      const said = saidOn(await library(await enter(customer, again)))
      assert.match(said, /Kino Club 0 titles Kino Club includes nothing yet\./)
      assert.match(
        said,
        new RegExp(`Ended In Kino Club until ${left} Fyr This is no longer part of your membership\\.`),
      )
    })
    await shop.put(`/api/products/${film.id}.json`, { product: { groups: [] } })
    assert.match(saidOn(await library(visitor)), /No longer in Kino Club Fyr/)
    await shop.put(`/api/groups/${group.id}.json`, { group: { valid: false } })
    const closed = saidOn(await library(visitor))
    assert.match(closed, /Kino Club is closed at the moment\. What you bought is still yours\./)
    assert.match(closed, /Ended Kino Club is closed Fyr/)
    await shop.put(`/api/groups/${group.id}.json`, { group: { valid: true } })
    await shop.delete(member.path)
    assert.match(saidOn(await library(visitor)), /Ended Membership ended Fyr Your membership has ended\./)
    await shop.delete(`/api/groups/${group.id}.json`)
    assert.match(saidOn(await library(visitor)), /Kino Club is closed Fyr/)
  })

  test('waits for a membership that has not begun, and for a product that is not in the group yet', async () => {
    const { shop, base } = pages
    const early = await aClub(service, shop, { group: { kind: 'access' }, times: { start_at: inHours(48) } })
    const visitor = await enter(early.customer)
    assert.match(saidOn(await library(visitor)), new RegExp(`Your membership of Kino Club begins on ${dayIn(48)}\\. `))
    const ahead = await visitor.get(`${base}/my-content/memberships/${early.group.id}`)
    assert.match(ahead.text, new RegExp(`href="${base}/products/${early.film.id}"`))
    assert.doesNotMatch(ahead.text, /my-content\/open"/)
    assertRefused(await open(visitor, early.film.id), 403)
    const soon = await aClub(service, shop, { entry: { start_at: inHours(48) } })
    const member = await enter(soon.customer)
    assert.match(await library(member), /chip amber[\s\S]{0,200}From /)
    assert.doesNotMatch(await library(member), /my-content\/open"/)
    assertRefused(await open(member, soon.film.id), 403)
    await later(49, async (again) => {
      const opened = await open(await enter(soon.customer, again), soon.film.id)
      assert.equal(opened.status, 303)
    })
  })

  test('includes what names all groups of a kind, and all groups for somebody who is in all of them', async () => {
    const { shop } = await openOwn()
    const [club, other] = [await aGroup(service, shop), await aGroup(service, shop, { title: 'Book Club' })]
    const film = await aClubFilm(service, shop, [{ group_id: 's-1' }], { title: 'Everywhere' })
    const customer = await aBuyer(shop)
    await join(shop, 's-1', customer.token)
    const { base } = await baseFor(shop)
    const visitor = await enterShop(service, shop, base, customer)
    const said = saidOn((await visitor.get(`${base}/my-content`)).text)
    for (const { title } of [club, other]) assert.match(said, new RegExp(`${title} 1 title Everywhere`))
    const opened = await visitor.post(`${base}/my-content/open`, { product_id: film.product_id })
    assert.equal(opened.status, 303)
    for (let number = 1; number <= 4; number += 1) await aGroup(service, shop, { title: `Club ${number}` })
    const many = saidOn((await visitor.get(`${base}/my-content`)).text)
    assert.match(many, /Further memberships Club 3 Club 4/)
  })

  test('opens every part of a collection, and shows them together', async () => {
    const { shop, base } = pages
    const group = await aGroup(service, shop)
    const parts = [await aClubFilm(service, shop, []), await aClubFilm(service, shop, [])]
    const collection = await aProduct(shop, {
      product_type: 8,
      title: 'Both',
      published: true,
      groups: [{ group_id: group.id }],
      included_products: parts.map(({ product_id }) => ({ product_id })),
    })
    const customer = await aBuyer(shop)
    await join(shop, group.id, customer.token)
    const visitor = await enter(customer)
    const opened = await open(visitor, collection.id)
    assert.equal(opened.location, `${base}/my-content/memberships/${group.id}?opened=${collection.id}`)
    const { text } = await visitor.follow(opened)
    assert.equal([...text.matchAll(/my-content\/\d+\/open"/g)].length, 2)
  })
})

async function openOwn() {
  return { shop: await service.openShop() }
}

async function baseFor(shop: Shop) {
  return { base: `/shop/${(await shop.get('/api/themesettings.json')).body.ThemeSettings[0].id}` }
}

describe('the page of a membership', () => {
  test('has everything in pages by key, the newest first, and is searched by words', async () => {
    const { shop, base } = pages
    const { group, customer } = await aClub(service, shop, {
      group: { locales: [{ language_id: 'en', title: 'The Kino Club', description: 'A film every Friday.' }] },
      product: { title: 'Oldest' },
    })
    for (let number = 1; number <= 62; number += 1)
      await aProduct(shop, {
        product_type: 9,
        title: `Film ${number}${number === 7 ? ' of the harbour' : ''}`,
        published: true,
        groups: [{ group_id: number % 2 === 0 ? 's-1' : group.id }],
      })
    const visitor = await enter(customer)
    const path = `/my-content/memberships/${group.id}`
    assert.match(await library(visitor), new RegExp(`href="${base}${path}">See all<`))
    const titles: string[][] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, text } = await visitor.get(`${base}${next}`)
      assert.equal(status, 200, text)
      assert.match(saidOn(text), /The Kino Club 63 titles A film every Friday\. For as long as you are a member\./)
      titles.push([...text.matchAll(/<span class="t">([^<]*)</g)].map(([, title]) => title ?? ''))
      const [, more] = /rel="next" href="([^"]*)"/.exec(text) ?? []
      next = more === undefined ? undefined : `${path}${more.replaceAll('&amp;', '&')}`
    }
    assert.deepEqual(
      titles.map(({ length }) => length),
      [30, 30, 3],
    )
    assert.deepEqual([titles[0]?.[0], titles.at(-1)?.at(-1)], ['Film 62', 'Oldest'])
    const found = await visitor.get(`${base}${path}?q=HARBOUR`)
    assert.match(saidOn(found.text), /1 title A film/)
    assert.match(found.text, /Film 7 of the harbour/)
    const nothing = await visitor.get(`${base}${path}?q=${encodeURIComponent('nowhere <b>')}`)
    assert.match(nothing.text, /Nothing in The Kino Club has “nowhere &lt;b&gt;” in its title\./)
    for (const strange of ['?after=x', '?opened=x', '?opened=999999', `?q=${'%00'}`, '?after=-1'])
      assert.equal((await visitor.get(`${base}${path}${strange}`)).status, 200, strange)
  })

  test('is nobody else’s: not of another customer, company or visitor', async () => {
    const { shop, base } = pages
    const { group, film } = await aClub(service, shop)
    const stranger = await enter(await aBuyer(shop))
    const path = `${base}/my-content/memberships/${group.id}`
    assert.equal((await stranger.get(path)).status, 404)
    assertRefused(await open(stranger, film.id), 403)
    const { shop: other } = await openOwn()
    const abroad = await aClub(service, other)
    assert.equal((await stranger.get(`${base}/my-content/memberships/${abroad.group.id}`)).status, 404)
    assertRefused(await open(stranger, abroad.film.id), 422)
    for (const wrong of ['', '0', '-1', 'a\0b', '9'.repeat(15), "' or true"])
      assertRefused(await open(stranger, wrong), 422)
    const guest = pages.comeIn()
    const asked = await guest.get(path)
    assert.match(asked.location ?? '', /\/login\?return_to=/)
    const sent = await open(guest, film.id)
    assert.equal(sent.location, `${base}/login?return_to=${encodeURIComponent(`${base}/products/${film.id}`)}`)
    assert.equal(
      (await guest.post(`${base}/my-content/open`, { product_id: '1' }, { 'sec-fetch-site': 'cross-site' })).status,
      403,
    )
  })
})

describe('opening', () => {
  test('in two tabs at once opens one thing', async () => {
    const { film, customer } = await aClub(service, pages.shop)
    const visitor = await enter(customer)
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(visitor, film.id)))
    assert.equal(new Set(answers.map(({ location }) => location)).size, 1)
    assert.equal(await countOpened(customer), 1)
  })

  test('leads to the player, which says that another device of the membership is in use, also in a sharing group', async () => {
    const { shop, base } = pages
    for (const kind of ['subscription', 'sharing']) {
      const terms = { total_concurrent_devices: 1 }
      const { group, film, customer } = await aClub(service, shop, { group: { kind }, terms })
      const second = await aClubFilm(service, shop, [{ group_id: group.id }])
      const other = kind === 'sharing' ? await aBuyer(shop) : customer
      if (kind === 'sharing') await join(shop, group.id, other.token)
      const play = async (visitor: Visitor, product: Wire) => {
        const path = (await open(visitor, product.id)).location?.replace(/open$/, 'play') ?? ''
        return visitor.post(path, {})
      }
      assert.equal((await play(await enter(customer), film)).status, 200)
      const refused = await play(await enter(other), second)
      assert.equal(refused.status, 403, kind)
      assert.match(refused.text, /in use on as many devices as the license allows/)
      assert.match(refused.text, new RegExp(`href="${base}/account/devices"`))
    }
  })
})

test('in a frame of another site, a member gets to the player without header and footer of the shop', async () => {
  const { shop } = await openOwn()
  const { id } = await aThemeSetting(shop, { frame_origins: ['https://portal.example'] })
  const base = `/shop/${id}`
  const { group, film, customer } = await aClub(service, shop)
  const framed = await enterShop(service, shop, base, customer, { 'sec-fetch-dest': 'iframe' })
  for (const path of ['/my-content?embedded=1', `/my-content/memberships/${group.id}`]) {
    const { text } = await framed.get(`${base}${path}`)
    assert.match(text, /action="[^"]*\/my-content\/open"/)
    assert.doesNotMatch(text, /<header|<footer/, path)
  }
  const player = await framed.follow(await framed.post(`${base}/my-content/open`, { product_id: String(film.id) }))
  assert.match(player.text, /<button class="play">/)
})

test('customers who are in no group get their pages with as many statements as before', async () => {
  const { shop, base } = pages
  const { film, customer } = await aClub(service, shop)
  const statements = async (visitor: Visitor, path: string) => {
    // The notices of earlier changes may still be under way, and what they overtake is made again.
    const counts: number[] = []
    for (let tries = 0; tries < 5; tries += 1) {
      const before = statementCount()
      assert.equal((await visitor.get(`${base}${path}`)).status, 200)
      counts.push(statementCount() - before)
    }
    return Math.min(...counts)
  }
  const [alone, member] = [await enter(await aBuyer(shop)), await enter(customer)]
  const paths = ['/my-content', `/products/${film.id}`]
  const [own, product] = [await statements(alone, '/my-content'), await statements(alone, paths[1] ?? '')]
  assert.deepEqual([own, product], [OWN, PRODUCT])
  assert.equal(await statements(member, paths[1] ?? ''), product + 1, 'the memberships')
  assert.equal(
    await statements(member, '/my-content'),
    own + 4,
    'the memberships, what is owed, a row of products, and their number',
  )
})
