import assert from 'node:assert/strict'
import { anEmail } from './customers.ts'
import type { Wire } from './factories.ts'
import type { Answer, Shop } from './harness.ts'

/** The resources with the people around a shop, by the wrapper of their bodies. */
export type Audience = 'subscriber' | 'groupmember' | 'newsrecipient'

export function addPerson(shop: Shop, audience: Audience, attributes: object): Promise<Answer> {
  return shop.post(`/api/${audience}s.json`, { [audience]: attributes })
}

/** Creates a subscriber, group member or newsletter recipient through the interface. */
export async function aPerson(shop: Shop, audience: Audience, attributes: object): Promise<Wire> {
  const answer = await addPerson(shop, audience, attributes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body[audience]
}

export function aSubscriber(shop: Shop, attributes: object = {}): Promise<Wire> {
  return aPerson(shop, 'subscriber', { email: anEmail(), group_id: 's1', ...attributes })
}

export function aGroupMember(shop: Shop, attributes: object = {}): Promise<Wire> {
  return aPerson(shop, 'groupmember', { email: anEmail(), group_id: 'c1', ...attributes })
}

/** A recipient who has signed up and not confirmed yet. */
export function aNewsRecipient(shop: Shop, attributes: object = {}): Promise<Wire> {
  return aPerson(shop, 'newsrecipient', { email: anEmail(), ...attributes })
}

export async function changePerson(shop: Shop, audience: Audience, id: number, attributes: object): Promise<Wire> {
  const answer = await shop.put(`/api/${audience}s/${id}.json`, { [audience]: attributes })
  assert.equal(answer.status, 200, answer.text)
  return answer.body[audience]
}

export async function readPerson(shop: Shop, audience: Audience, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/${audience}s/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body[audience]
}

export async function listPeople(shop: Shop, audience: Audience, query = ''): Promise<Wire[]> {
  const answer = await shop.get(`/api/${audience}s.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body[`${audience}s`]
}
