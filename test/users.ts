import assert from 'node:assert/strict'
import { acceptInvitation } from '#identity/users/commands.ts'
import { createLink } from '#identity/users/links/commands.ts'
import type { LinkKind } from '#identity/users/links/rules.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'

let counted = 0

/** A unique email address, with capital letters. */
export function anAddress(): string {
  counted += 1
  return `Person${counted}.${process.pid}@Example.com`
}

/** Invites a user through the interface. */
export async function anInvitedUser(shop: Shop, attributes: object = {}): Promise<Wire> {
  const answer = await shop.post('/api/users.json', { user: { email: anAddress(), ...attributes } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.user
}

/** The mails to an address, oldest first. */
export async function mailsTo(service: Service, email: string) {
  return service.db.selectFrom('mails').selectAll().where('recipient', '=', email).orderBy('id').execute()
}

/** The token of the link in the last invitation that went to an address. */
export async function invitationTo(service: Service, email: string): Promise<string> {
  const mail = (await mailsTo(service, email)).at(-1)
  const [, token] = /\/invitation\/([\w-]+)\n/.exec(mail?.text ?? '') ?? []
  assert.ok(token, mail?.text ?? 'no mail')
  return token
}

export const ORIGIN = { address: '192.0.2.7', requestId: 'r-1' }

/** Accepts an invitation as the page does; undefined if the link does not work. */
export async function accept(service: Service, token: string, names: { firstName?: string; lastName?: string } = {}) {
  const user = await inTransaction(service.db, (tx) =>
    acceptInvitation(tx, { token, passwordHash: 'a hash', ...names }, ORIGIN, nowInSeconds(service.clock)),
  )
  assert.notEqual(user, 'address in use')
  return user === 'address in use' ? undefined : user
}

export async function readUser(shop: Shop, ref: string | number): Promise<Wire> {
  const answer = await shop.get(`/api/users/${ref}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.user
}

/** A user who was invited and has accepted. */
export async function aUser(service: Service, shop: Shop, attributes: object = {}): Promise<Wire> {
  const { email, token } = await anInvitedUser(shop, attributes)
  assert.ok(await accept(service, await invitationTo(service, email)))
  return readUser(shop, token)
}

/** The audit entries of a company, oldest first. */
export async function auditOf(service: Service, shop: Shop) {
  return service.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('company_id', '=', shop.companyId)
    .orderBy('id')
    .execute()
}

/** Makes a link of a kind, as the service mails or prints it, and returns its token. */
export async function aLink(service: Service, shop: Shop, kind: LinkKind): Promise<string> {
  if (kind === 'invitation') return invitationTo(service, (await anInvitedUser(shop)).email)
  const { companyId, userId } = shop
  const link = kind === 'first run' ? ({ kind, companyId: null, userId: null } as const) : { kind, companyId, userId }
  return inTransaction(service.db, (tx) => createLink(tx, link, nowInSeconds(service.clock)))
}
