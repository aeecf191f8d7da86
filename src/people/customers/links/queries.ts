import type { Db } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { dayBefore, type OpenLink, type Purpose } from './rules.ts'

/** The link with a token; undefined if it is unknown, used, ended or expired, which the answer does not tell apart. */
export async function findLink(db: Db, token: string, now: Date): Promise<OpenLink | undefined> {
  const link = await db
    .selectFrom('customer_links')
    .innerJoin('customers', 'customers.id', 'customer_links.customer_id')
    .innerJoin('companies', 'companies.id', 'customer_links.company_id')
    .select([
      'customer_links.kind',
      'customer_links.new_email as newEmail',
      'customer_links.company_id as companyId',
      'companies.company_name as companyName',
      'customer_links.customer_id as customerId',
      'customers.language',
      'customers.email',
    ])
    .where('customer_links.token_hash', '=', tokenHash(token))
    .where('customer_links.kind', 'not in', ['sign-in', 'deletion'])
    .where('customer_links.ended_at', 'is', null)
    .where('customer_links.expires_at', '>', now)
    .where('customers.state', '=', 'enabled')
    .executeTakeFirst()
  if (link === undefined) return undefined
  const { kind, newEmail, ...shown } = link
  return { ...shown, ...purposeOf(kind, newEmail) }
}

/** A link that still works, of a customer who may sign in. */
function workingLink(db: Db, kind: 'sign-in' | 'deletion', token: string, now: Date) {
  return db
    .selectFrom('customer_links')
    .innerJoin('customers', 'customers.id', 'customer_links.customer_id')
    .where('customer_links.token_hash', '=', tokenHash(token))
    .where('customer_links.kind', '=', kind)
    .where('customer_links.ended_at', 'is', null)
    .where('customer_links.expires_at', '>', now)
    .where('customers.state', '=', 'enabled')
}

export type SignInLink = { companyId: number; customerId: number; query: string; language: string; email: string }

/** A link with which a customer signs in for an app; undefined like findLink. */
export async function findSignInLink(db: Db, token: string, now: Date): Promise<SignInLink | undefined> {
  const link = await workingLink(db, 'sign-in', token, now)
    .select([
      'customer_links.company_id as companyId',
      'customer_links.customer_id as customerId',
      'customer_links.query',
      'customers.language',
      'customers.email',
    ])
    .executeTakeFirst()
  return link === undefined ? undefined : { ...link, query: link.query ?? '' }
}

export type DeletionLink = { companyId: number; customerId: number; customerToken: string; email: string }

/** A link with which a customer deletes the account; undefined like findLink. */
export function findDeletionLink(db: Db, token: string, now: Date): Promise<DeletionLink | undefined> {
  return workingLink(db, 'deletion', token, now)
    .select([
      'customer_links.company_id as companyId',
      'customer_links.customer_id as customerId',
      'customers.token as customerToken',
      'customers.email',
    ])
    .executeTakeFirst()
}

/** The database checks that a link has a new address unless it is for a password. */
function purposeOf(kind: string, newEmail: string | null): Purpose {
  if (newEmail === null) return { kind: 'password', newEmail }
  return { kind: kind === 'proof' || kind === 'both' ? kind : 'email', newEmail }
}

/** How often companies have asked a customer for a change within a day. */
export async function countRequests(db: Db, customerId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('customer_links')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('kind', 'not in', ['proof', 'sign-in', 'deletion'])
    .where('created_at', '>', dayBefore(now))
    .executeTakeFirstOrThrow()
  return count
}
