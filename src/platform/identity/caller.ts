import { permissionMissing } from '../errors/errors.ts'
import type { Origin } from './origin.ts'
import type { Permission } from './permission.ts'
import type { Session } from './session.ts'

/** What an access token says of the app that presents it. */
type Token = { appId: number; clientId: string; scopes: ReadonlySet<string>; expiresAt: Date }

/** An app that acts for a company, with the permissions of the user who let it in. */
export type AppCaller = Token & {
  kind: 'app'
  companyId: number
  userId: number
  customerId: null
  permissions: ReadonlySet<Permission>
}

/** An app that acts for one customer, and is limited to what that customer owns. */
export type CustomerCaller = Token & { kind: 'customer'; companyId: number; userId: null; customerId: number }

/** A signed-in user, without an app. */
export type UserCaller = {
  kind: 'user'
  companyId: number
  appId: null
  userId: number
  customerId: null
  permissions: ReadonlySet<Permission>
}

/** The caller of a request, for one company. */
export type Caller = AppCaller | CustomerCaller | UserCaller

/** A caller that presents an access token. */
export type TokenCaller = AppCaller | CustomerCaller

/** The permission of a list that a caller lacks. Customers have none, and need none for what they own. */
export function missingPermission(caller: Caller, needed: readonly Permission[]): Permission | undefined {
  return caller.kind === 'customer' ? undefined : needed.find((name) => !caller.permissions.has(name))
}

/** Who makes a change for a company. The operator, who needs no permission, has none. */
export type Permitted = { companyId: number; permissions?: ReadonlySet<Permission> }

/** Refuses a part of a change that needs a permission which the whole does not. */
export function assertPermitted({ permissions }: Permitted, needed: Permission): void {
  if (permissions !== undefined && !permissions.has(needed)) throw permissionMissing(needed)
}

/**
 * The author of a change, for the audit log. The command line has no user and no app. Without an origin, as in a seed,
 * nothing is written to the audit log.
 */
export type Author = Pick<Caller, 'companyId'> & Partial<Pick<Caller, 'userId' | 'appId'>> & { origin?: Origin }

/** A signed-in user as a caller. */
export function callerOf({ actsForId, userId, permissions }: Session): UserCaller {
  return { kind: 'user', companyId: actsForId, appId: null, userId, customerId: null, permissions }
}
