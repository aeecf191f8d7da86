import assert from 'node:assert/strict'
import { aLicense, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aBuyer, aFilm } from './orders.ts'
import { someVideo, upload } from './uploads.ts'

export type Times = { ends_at?: string; start_at?: string; end_at?: string }

/** A group with a license of its own. */
export async function aGroup(service: Service, shop: Shop, group: object = {}, terms: object = {}): Promise<Wire> {
  const { id: license_id } = await aLicense(service, shop, { name: 'Club', type: 0, drm: 1, allow_play: 1, ...terms })
  const answer = await shop.post('/api/groups.json', {
    group: { kind: 'subscription', title: 'Kino Club', license_id, ...group },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.group
}

/** Makes a customer a subscriber or a member of a group. */
export async function join(shop: Shop, groupId: string, customer_token: string, times: Times = {}) {
  const isSubscriber = groupId.startsWith('s')
  const [path, key] = isSubscriber ? ['subscribers', 'subscriber'] : ['groupmembers', 'groupmember']
  const { ends_at, start_at, end_at } = times
  const period = isSubscriber ? { ends_at } : { start_at, end_at }
  const answer = await shop.post(`/api/${path}.json`, { [key]: { customer_token, group_id: groupId, ...period } })
  assert.equal(answer.status, 201, answer.text)
  return { path: `/api/${path}/${answer.body[key].id}.json`, key }
}

/** A film that names groups, with a file that plays. */
export async function aClubFilm(service: Service, shop: Shop, groups: object[], product: object = {}): Promise<Wire> {
  const film = await aFilm(service, shop, 1190, { groups, ...product })
  await upload(service, shop, film, someVideo(), { name: 'film.mp4', role: 'main_sd' })
  return film
}

/** A group, a film in it that plays, and a customer who is in it. */
export async function aClub(
  service: Service,
  shop: Shop,
  {
    group = {},
    terms = {},
    entry = {},
    times = {},
    product = {},
  }: {
    group?: object
    terms?: object
    entry?: object
    times?: Times
    product?: object
  } = {},
) {
  const made = await aGroup(service, shop, group, terms)
  const film = await aClubFilm(service, shop, [{ group_id: made.id, ...entry }], product)
  const customer = await aBuyer(shop)
  const member = await join(shop, made.id, customer.token, times)
  return { group: made, film, customer, member }
}
