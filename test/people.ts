import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { RegisteredApp } from '#apps/oauth/apps.commands.ts'
import { createApp } from '#apps/oauth/apps.commands.ts'
import type { Scope } from '#apps/oauth/scopes.facts.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { PASSWORD, type Service, type Shop } from './harness.ts'
import { PATIENCE_MS } from './patience.ts'
import { anInvitedUser, invitationTo } from './users.ts'
import { csrfTokenOn, type PageAnswer, type Visitor, visit } from './visitor.ts'

/** The password of the first user of a shop. */
export async function ownerOf(service: Service, shop: Shop): Promise<{ email: string; password: string }> {
  const { email } = await service.db
    .selectFrom('users')
    .select('email')
    .where('company_id', '=', shop.companyId)
    .where('id', '=', shop.userId)
    .executeTakeFirstOrThrow()
  return { email, password: PASSWORD }
}

/** A browser in which the first user of the shop has signed in. */
export async function signedIn(service: Service, shop: Shop, headers?: Record<string, string>): Promise<Visitor> {
  const owner = await ownerOf(service, shop)
  const visitor = visit(service.url, headers)
  await visitor.get('/sign-in')
  await visitor.submit('/sign-in', owner)
  return visitor
}

/** An app with redirect URIs of a test's own. */
export function registerApp(
  service: Service,
  shop: Shop,
  redirectUris: string[],
  details: { name?: string; scopes?: Scope[]; clientId?: string } = {},
): Promise<RegisteredApp> {
  const origin = { address: '192.0.2.1', requestId: 'test' }
  return inTransaction(service.db, (tx) =>
    createApp(
      tx,
      { companyId: shop.companyId, name: 'Shelf', redirectUris, ...details },
      service.vault,
      { userId: shop.userId, origin },
      nowInSeconds(service.clock),
    ),
  )
}

/** Lets a signed-in visitor allow an app, and returns the code that the redirect carries. */
export async function codeFrom(
  visitor: Visitor,
  app: Pick<RegisteredApp, 'client_id'>,
  query: { redirect_uri: string; scope?: string } & Record<string, string>,
): Promise<string> {
  const asked = new URLSearchParams({ client_id: app.client_id, scope: 'products,orders', ...query })
  await visitor.get(`/oauth2/auth?${asked}`)
  const answer = await visitor.submit(/oauth2/, { decision: 'allow' })
  const code = new URL(answer.location ?? '').searchParams.get('code')
  assert.ok(code, answer.text)
  return code
}

/** Types an address and a password into the sign-in page. */
export async function tryToSignIn(
  visitor: Visitor,
  typed: { email: string; password: string },
  page = '/sign-in',
): Promise<PageAnswer> {
  await visitor.get(page)
  return visitor.submit('/sign-in', typed)
}

export type Member = { id: number; email: string; password: string; visitor: Visitor }

/** A user who has accepted an invitation and is signed in, in a separate browser. */
export async function aMember(service: Service, shop: Shop, password = 'member of the shop'): Promise<Member> {
  const { id, email } = await anInvitedUser(shop)
  const visitor = visit(service.url)
  await visitor.get(`/invitation/${await invitationTo(service, email)}`)
  const names = { first_name: 'Mona', last_name: 'Ember' }
  const answer = await visitor.submit(/^\/invitation\//, { ...names, password, password_confirmation: password })
  assert.equal(answer.location, '/admin', answer.text)
  return { id, email, password, visitor }
}

/** The code that an authenticator app shows at a time. */
export function codeAt(secret: string, time: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time.getTime() })
}

/** Signs a visitor out. */
export async function signOut(visitor: Visitor): Promise<PageAnswer> {
  return visitor.post('/sign-out', { _csrf: csrfTokenOn(await visitor.get('/reset')) })
}

/** Is the visitor signed in? */
export const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get('/admin')).status === 200

/**
 * Moves the clock to the next time step of codes, a little way in, so that none of them ends in the middle of a test.
 */
export function toNextStep({ clock }: Service): void {
  clock.advance(35 - ((clock.now().getTime() / 1000) % 30))
}

/** Turns the second factor of a signed-in visitor on. */
export async function turnOnSecondFactor(service: Service, visitor: Visitor, password = PASSWORD) {
  toNextStep(service)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: service.url }
  const post = (path: string, second_factor: object) =>
    service.call('POST', `/admin/api/second_factor${path}.json`, { headers, body: { second_factor } })
  const prepared = await post('', { current_password: password })
  assert.equal(prepared.status, 201, prepared.text)
  const { secret } = prepared.body.second_factor
  const made = await post('/turn_on', { code: codeAt(secret, service.clock.now()) })
  assert.equal(made.status, 200, made.text)
  return { secret: secret as string, recoveryCodes: made.body.recovery_codes as string[] }
}

/** Waits until a token is refused: processes are notified shortly after the commit. */
export async function untilRefused(service: Service, token: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { body } = await service.call('GET', '/api/tokeninfo', { token })
    if (body.error === 'invalid access_token') return
    if (performance.now() > deadline) throw new Error('the token still opens something')
    await new Promise(setImmediate)
  }
}
