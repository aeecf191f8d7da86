import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer } from '#test/customers.ts'
import { aLicense, assertBlames } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, anOrder } from '#test/orders.ts'

const service = useService()
type Wire = Record<string, never>

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * HOUR).toISOString()

/** A company with a subscription group, a film in it, and a customer who is in it for ten days. */
async function aClub({
  license = {},
  kind = 'subscription',
  entry = {},
}: {
  license?: object
  kind?: string
  entry?: object
} = {}) {
  const shop = await service.openShop()
  const { id: license_id } = await aLicense(service, shop, { name: 'Club', type: 0, drm: 1, allow_play: 1, ...license })
  const made = await shop.post('/api/groups.json', { group: { kind, title: 'Kino Club', license_id } })
  assert.equal(made.status, 201, made.text)
  const { group } = made.body
  const film = await aFilm(service, shop, 1190, { groups: [{ group_id: group.id, ...entry }] })
  const customer = await aCustomer(shop)
  const member = await join(shop, group.id, customer.token, { ends_at: inHours(240), end_at: inHours(240) })
  return { shop, group, film, customer, member }
}

async function join(
  shop: Shop,
  groupId: string,
  customer_token: string,
  times: { ends_at?: string; start_at?: string; end_at?: string } = {},
) {
  const isSubscriber = groupId.startsWith('s')
  const [path, key] = isSubscriber ? ['subscribers', 'subscriber'] : ['groupmembers', 'groupmember']
  const { ends_at, start_at, end_at } = times
  const period = isSubscriber ? { ends_at } : { start_at, end_at }
  const answer = await shop.post(`/api/${path}.json`, { [key]: { customer_token, group_id: groupId, ...period } })
  assert.equal(answer.status, 201, answer.text)
  return { path: `/api/${path}/${answer.body[key].id}.json`, key }
}

const open = (shop: Shop, token: string, product_id: string) =>
  shop.post(`/api/customers/${token}/open.json`, { open: { product_id } })

async function opened(shop: Shop, token: string, product_id: string) {
  const answer = await open(shop, token, product_id)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.content[0]
}

async function ask(shop: Shop, id: number, how: 'check' | 'use' = 'check', others: object = {}) {
  const answer = await shop.post(`/api/entitlements/${id}/${how}.json`, { [how]: { action: 'play', ...others } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.decision
}

/** Tokens end before a membership does. */
async function later(shop: Shop, hours: number): Promise<Shop> {
  service.clock.advance(hours * 3600)
  return shop.asUser(shop.userId)
}

describe('a member', () => {
  test('opens what the group includes, once, and uses it like something that was bought', async () => {
    const { shop, group, film, customer } = await aClub()
    const first = await opened(shop, customer.token, film.product_id)
    assert.equal(first.group_id, group.id)
    assert.deepEqual([first.state, first.order_id, first.title], ['active', null, film.title])
    const again = await opened(shop, customer.token, String(film.id))
    assert.equal(again.id, first.id)
    const decision = await ask(shop, first.id, 'use', { device: 'tv' })
    assert.equal(decision.allowed, true)
    const { body } = await shop.get(`/api/customers/${customer.token}/content.json`)
    assert.deepEqual(
      body.content.map(({ id, group_id }: Wire) => [id, group_id]),
      [[first.id, group.id]],
    )
    const files = await shop.get(`/api/entitlements/${first.id}/files.json`)
    assert.equal(files.status, 200)
  })

  test('is told when the membership has ended, and can use it again after joining again', async () => {
    const { shop, film, customer, member } = await aClub()
    const { id } = await opened(shop, customer.token, film.product_id)
    const after = await later(shop, 241)
    const refused = await ask(after, id)
    assert.deepEqual([refused.allowed, refused.code], [false, 'membership_ended'])
    assert.match(refused.reason, /ended/)
    assert.equal((await open(after, customer.token, film.product_id)).status, 403)
    await after.put(member.path, { [member.key]: { ends_at: null } })
    assert.equal((await ask(after, id)).allowed, true)
  })

  test('keeps what was bought beside the membership when it ends', async () => {
    const { shop, film, customer } = await aClub()
    const through = await opened(shop, customer.token, film.product_id)
    const order = await anOrder(shop, customer, [{ product_id: film.product_id }])
    const [bought] = (await shop.get(`/api/entitlements.json?order_id=${order.id}`)).body.entitlements
    const after = await later(shop, 241)
    assert.equal((await ask(after, through.id)).code, 'membership_ended')
    assert.equal((await ask(after, bought.id, 'check', { device: 'tv' })).allowed, true)
  })

  test('loses it when the subscriber is deleted, the group is closed or deleted, or the product leaves it', async () => {
    const { shop, group, film, customer, member } = await aClub()
    const { id } = await opened(shop, customer.token, film.product_id)
    const change = (valid: boolean) => shop.put(`/api/groups/${group.id}.json`, { group: { valid } })
    await change(false)
    assert.equal((await ask(shop, id)).code, 'group_closed')
    await change(true)
    await shop.put(`/api/products/${film.id}.json`, { product: { groups: [] } })
    assert.equal((await ask(shop, id)).code, 'no_longer_in_group')
    await shop.put(`/api/products/${film.id}.json`, { product: { groups: [{ group_id: 's-1' }] } })
    assert.equal((await ask(shop, id)).allowed, true, 'it is in all groups of the kind')
    await shop.delete(member.path)
    assert.equal((await ask(shop, id)).code, 'membership_ended')
    await shop.delete(`/api/groups/${group.id}.json`)
    assert.equal((await ask(shop, id)).code, 'group_closed')
  })

  test('waits for the time of the product and of the membership', async () => {
    const closes = inHours(3)
    const { shop, film, customer, group } = await aClub({
      kind: 'access',
      entry: { start_at: inHours(1), end_at: closes },
    })
    assert.equal((await open(shop, customer.token, film.product_id)).status, 403)
    const released = await later(shop, 1)
    const { id, ends_at } = await opened(released, customer.token, film.product_id)
    assert.equal(ends_at, closes.slice(0, 19), 'the product leaves before the member does')
    const closed = await later(shop, 2)
    assert.equal((await ask(closed, id)).code, 'no_longer_in_group')
    const early = await aCustomer(closed)
    const other = await aFilm(service, closed, 1190, { groups: [{ group_id: group.id }] })
    await join(closed, group.id, early.token, { start_at: inHours(5) })
    assert.equal((await open(closed, early.token, other.product_id)).status, 403)
    const [membership] = (await closed.get(`/api/customers/${early.token}/memberships.json`)).body.memberships
    assert.equal(membership.state, 'not_started')
  })

  test('counts devices and downloads over everything that the group opens', async () => {
    const { shop, group, film, customer } = await aClub({
      license: { total_concurrent_devices: 1, total_downloads: 2 },
    })
    const other = await aFilm(service, shop, 1190, { groups: [{ group_id: group.id }] })
    const [one, two] = [
      await opened(shop, customer.token, film.product_id),
      await opened(shop, customer.token, other.product_id),
    ]
    assert.equal((await ask(shop, one.id, 'use', { device: 'tv' })).allowed, true)
    assert.equal((await ask(shop, two.id, 'use', { device: 'phone' })).code, 'device_limit')
    assert.equal((await ask(shop, two.id, 'use', { device: 'tv' })).allowed, true)
    await shop.post(`/api/entitlements/${two.id}/release.json`, { release: { device: 'tv' } })
    assert.equal((await ask(shop, two.id, 'use', { device: 'phone' })).allowed, true)
    for (const id of [one.id, two.id]) assert.equal((await ask(shop, id, 'use', { action: 'download' })).allowed, true)
    assert.equal((await ask(shop, one.id, 'use', { action: 'download' })).code, 'downloads_used_up')
    const stranger = await aCustomer(shop)
    await join(shop, group.id, stranger.token)
    const theirs = await opened(shop, stranger.token, film.product_id)
    assert.equal(
      (await ask(shop, theirs.id, 'use', { device: 'radio' })).allowed,
      true,
      'each member has places of their own',
    )
  })

  test('of a sharing group shares its devices with all other members, also when they come at once', async () => {
    const { shop, group, film, customer } = await aClub({ kind: 'sharing', license: { total_concurrent_devices: 2 } })
    const family = [customer]
    for (let nth = 0; nth < 5; nth += 1) {
      const member = await aCustomer(shop)
      await join(shop, group.id, member.token)
      family.push(member)
    }
    const ids: number[] = []
    for (const { token } of family) ids.push((await opened(shop, token, film.product_id)).id)
    const decisions = await Promise.all(ids.map((id, nth) => ask(shop, id, 'use', { device: `device ${nth}` })))
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 2)
    assert.deepEqual(
      new Set(decisions.flatMap(({ allowed, code }) => (allowed ? [] : code))),
      new Set(['device_limit']),
    )
  })

  test('of a sharing group counts the downloads of a year with members who joined in other years', async () => {
    const { shop, group, film, customer } = await aClub({ kind: 'sharing', license: { annual_downloads: 2 } })
    const old = await aCustomer(shop)
    await join(shop, group.id, old.token, { start_at: inHours(-3 * 365 * 24) })
    const ids = [await opened(shop, customer.token, film.product_id), await opened(shop, old.token, film.product_id)]
    const codes: string[] = []
    for (const { id } of [...ids, ...ids]) codes.push((await ask(shop, id, 'use', { action: 'download' })).code)
    assert.deepEqual(codes, ['allowed', 'allowed', 'annual_downloads_used_up', 'annual_downloads_used_up'])
  })

  test('who is in the group twice uses it while one of the times runs, whichever is longer', async () => {
    const { shop, group, film, customer } = await aClub({ kind: 'access' })
    await join(shop, 'c-1', customer.token, { start_at: inHours(300) })
    const { id } = await opened(shop, customer.token, film.product_id)
    assert.equal((await ask(shop, id)).allowed, true)
    const [membership] = (await shop.get(`/api/customers/${customer.token}/memberships.json`)).body.memberships
    assert.equal(membership.state, 'active')
    const groups = [
      { group_id: group.id, start_at: inHours(48) },
      { group_id: 'c-1', end_at: inHours(24) },
    ]
    await shop.put(`/api/products/${film.id}.json`, { product: { groups } })
    assert.equal((await ask(shop, id)).allowed, true, 'the product is in the group for a day by its second name')
    const path = `/api/customers/${customer.token}/memberships/${group.id}/products.json`
    const listed = async () => (await shop.get(path)).body.products.map(({ opens_at }: Wire) => opens_at)
    assert.deepEqual(await listed(), [null])
    const over = [
      { group_id: group.id, start_at: null, end_at: inHours(-1) },
      { group_id: 'c-1', end_at: null },
    ]
    await shop.put(`/api/products/${film.id}.json`, { product: { groups: over } })
    assert.equal((await ask(shop, id)).allowed, true)
    assert.deepEqual(await listed(), [null], 'what can be opened is listed')
  })

  test('gets the license of the group as it is now', async () => {
    const { shop, group, film, customer } = await aClub()
    const { id } = await opened(shop, customer.token, film.product_id)
    const strict = await aLicense(service, shop, { name: 'No play', type: 0, drm: 1, allow_play: 0 })
    await shop.put(`/api/groups/${group.id}.json`, { group: { license_id: strict.id } })
    assert.equal((await ask(shop, id)).code, 'play_not_allowed')
    await shop.put(`/api/groups/${group.id}.json`, { group: { license_id: null } })
    assert.equal((await ask(shop, id)).allowed, true)
    const { explanation } = (await shop.get(`/api/entitlements/${id}/explain.json`)).body
    const rule = explanation.rules.find(({ rule }: Wire) => rule === 'membership')
    assert.deepEqual([rule.verdict, rule.input.is_member, rule.input.is_included], ['passed', true, true])
  })
})

describe('nobody opens', () => {
  test('what no group includes, goods, unknown products, and anything for another customer or company', async () => {
    const { shop, film, customer } = await aClub()
    const apart = await aFilm(service, shop)
    assert.equal((await open(shop, customer.token, apart.product_id)).status, 403)
    const outsider = await aCustomer(shop)
    assert.equal((await open(shop, outsider.token, film.product_id)).status, 403)
    const mug = await shop.post('/api/products.json', {
      product: { product_type: 6, title: 'Mug', groups: [{ group_id: 's-1' }] },
    })
    assert.equal((await open(shop, customer.token, mug.body.product.product_id)).status, 422)
    for (const nothing of ['FFFF-FFFF-FFFF-FFFF', '', 'a\0b'])
      assertBlames(await open(shop, customer.token, nothing), ['product_id'])
    const other = await service.openShop()
    assert.equal((await open(other, customer.token, film.product_id)).status, 404)
  })

  test('the same thing twice at once', async () => {
    const { shop, film, customer } = await aClub()
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(shop, customer.token, film.product_id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ body }) => body.content[0].id)).size, 1)
  })
})

describe('the memberships of a customer', () => {
  test('are listed with what they include, by page and by word', async () => {
    const { shop, group, customer } = await aClub()
    for (const title of ['Harbour', 'Northern Light', 'Slow Train'])
      await aFilm(service, shop, 1190, { title, groups: [{ group_id: title === 'Harbour' ? 's-1' : group.id }] })
    await aFilm(service, shop, 1190, { title: 'Hidden', published: false, groups: [{ group_id: group.id }] })
    const [membership, ...others] = (await shop.get(`/api/customers/${customer.token}/memberships.json`)).body
      .memberships
    assert.deepEqual(others, [])
    assert.deepEqual(
      [membership.group_id, membership.kind, membership.title, membership.state],
      [group.id, 'subscription', 'Kino Club', 'active'],
    )
    const path = `/api/customers/${customer.token}/memberships/${group.id}/products.json`
    const titles = async (query: string) =>
      (await shop.get(`${path}${query}`)).body.products.map(({ title }: Wire) => title)
    assert.equal((await titles('')).length, 4)
    assert.deepEqual(await titles('?q=light'), ['Northern Light'])
    assert.deepEqual(await titles('?limit=2&page=2'), ['Northern Light', 'Slow Train'])
    assert.equal((await shop.get(`/api/customers/${customer.token}/memberships/s999/products.json`)).status, 404)
  })
})
