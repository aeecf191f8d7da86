import assert from 'node:assert/strict'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aClubFilm } from './clubs.ts'
import { aPrice, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { offer } from './payments.ts'
import type { PageAnswer, Visitor } from './visitor.ts'

/** A club with a film, for 7.90 a month, in a shop that takes test cards. */
export async function anOpenClub(
  service: Service,
  shop: Shop,
  base: string,
  plan: object = {},
): Promise<{ group: Wire; plan: Wire; film: Wire; path: string }> {
  await offer(service, shop, { test: { enabled: true }, manual: { enabled: false } })
  const price = await aPrice(service, shop, { currencies: [{ price: 790, currency: 'EUR' }] })
  const { body } = await shop.post('/api/groups.json', { group: { kind: 'subscription', title: 'Kino Club' } })
  const film = await aClubFilm(service, shop, [{ group_id: body.group.id }])
  const made = await aPlan(shop, { group_id: body.group.id, price_id: price.id, ...plan })
  return { group: body.group, plan: made, film, path: `${base}/memberships/${body.group.id}-kino-club` }
}

export async function aPlan(shop: Shop, plan: object): Promise<Wire> {
  const answer = await shop.post('/api/plans.json', { plan: { title: 'Monthly', interval: 'month', ...plan } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.plan
}

/** Goes from the page of a club to the page on which it is paid. */
export async function toPay(visitor: Visitor, path: string, email: string, plan?: Wire): Promise<PageAnswer> {
  assert.equal((await visitor.get(path)).status, 200)
  const chosen = plan === undefined ? chosenOn(await visitor.get(path)) : String(plan.id)
  return visitor.follow(await visitor.submit(`${path}/join`, { plan: chosen, email, country: 'DE' }))
}

const chosenOn = ({ text }: PageAnswer) => /name="plan" id="plan-\d+" value="(\d+)" checked/.exec(text)?.[1] ?? ''

/** Presses the last button of a sign-up. */
export function pay(visitor: Visitor, path: string, typed: Record<string, string> = {}): Promise<PageAnswer> {
  return visitor.submit(`${path}/pay`, { gateway: 'Test', card: TEST_CARDS.succeeds, now: '1', ...typed })
}

export const headingOf = ({ text }: { text: string }): string => /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(text)?.[1] ?? ''

/** All of it: from the page of a club to the page that says what begins. */
export async function join(
  visitor: Visitor,
  path: string,
  email: string,
  typed: Record<string, string> = {},
): Promise<PageAnswer> {
  await toPay(visitor, path, email)
  return visitor.follow(await pay(visitor, path, typed))
}
