import type { RegisteredApp } from '#oauth/apps/commands.ts'
import { createApp } from '#oauth/apps/commands.ts'
import type { Scope } from '#oauth/scopes.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { PASSWORD, type Service, type Shop } from './harness.ts'
import { type Visitor, visit } from './visitor.ts'

/** What the first user of a shop signs in with. */
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
  details: { name?: string; scopes?: Scope[] } = {},
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
