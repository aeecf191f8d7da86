import { recordChange } from '#history/audit/commands.ts'
import { issueToken } from '#identity/grants/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { fieldNotAllowed } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { AppDetails } from '../apps.commands.ts'
import { lockOwnApp } from '../queries.ts'
import { ACCESS_TOKEN_SECONDS, allowable } from '../rules.ts'
import { ALL_SCOPES, isForCustomer } from '../scopes.facts.ts'
import type { NewAccessToken, RegisteredAppInput } from './schema.ts'

/** The route asks for the permission that these scopes need. */
const MANAGES_USERS = true

/** The details of an app in the words of the house. What is absent stays as it is. */
export function detailsOf(input: RegisteredAppInput): Partial<AppDetails> {
  const { name, redirect_uris, scopes, developer_email, data_change_sync_url } = input
  return {
    ...(name === undefined ? {} : { name }),
    ...(redirect_uris === undefined ? {} : { redirectUris: redirect_uris }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(developer_email === undefined ? {} : { developerEmail: developer_email }),
    ...(data_change_sync_url === undefined ? {} : { dataChangeSyncUrl: data_change_sync_url || null }),
  }
}

type Issuer = { companyId: number; userId: number; origin: Origin }

/** Issues an access token of an own app, which never may do more than the user who issues it. It is shown only once. */
export async function issueAccessToken(
  tx: Tx,
  issuer: Issuer,
  ref: string,
  { scopes, expires_in = ACCESS_TOKEN_SECONDS }: NewAccessToken,
  now: Date,
): Promise<{ access_token: string; scope: string; expires_in: number }> {
  const { companyId, userId } = issuer
  const app = await lockOwnApp(tx, companyId, ref)
  const allowed = allowable(ALL_SCOPES, app.scopes, MANAGES_USERS).filter((scope) => !isForCustomer(scope))
  const refused = scopes.findIndex((scope) => !allowed.includes(scope))
  if (refused >= 0) throw validationFailed(`scopes[${refused}]`, fieldNotAllowed(allowed))
  const grant = { companyId, appId: app.id, userId, scopes, lifetimeSeconds: expires_in }
  const access_token = await issueToken(tx, grant, now)
  await recordChange(tx, { ...issuer, appId: app.id }, 'access token made', `${app.name}: ${scopes.join(', ')}`, now)
  return { access_token, scope: scopes.join(','), expires_in }
}
