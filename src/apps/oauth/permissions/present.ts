import type { Static } from 'typebox'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { AllowedApp, CustomerApp } from '../queries.ts'
import { knownScopes } from '../scopes.facts.ts'
import type { AppPermission } from './schema.ts'

/** An app that was allowed more than once is listed once, with all of its scopes. */
function oncePerApp(apps: AllowedApp[]): AllowedApp[] {
  const byId = new Map<number, AllowedApp>()
  for (const app of apps) {
    const latest = byId.get(app.app_id) ?? app
    const scopes = [...new Set([...latest.scopes, ...app.scopes])]
    byId.set(app.app_id, { ...latest, scopes, last_token_at: later(latest.last_token_at, app.last_token_at) })
  }
  return [...byId.values()]
}

function later(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one
}

/** The apps of the company, and those that its customers have let in, each for themselves. */
export function presentAppPermissions(apps: AllowedApp[], customerApps: CustomerApp[]): Static<typeof AppPermission>[] {
  return [
    ...oncePerApp(apps).map(({ app_id, name, scopes, user_email, created_at, last_token_at }) => ({
      id: app_id,
      name,
      scopes: [...knownScopes(scopes)],
      user_email,
      customers: 0,
      created_at: wireTime(created_at),
      last_token_at: wireTimeOrNull(last_token_at),
    })),
    ...customerApps.map(({ app_id, name, customers, created_at }) => ({
      id: app_id,
      name,
      scopes: ['player'],
      user_email: null,
      customers,
      created_at: wireTime(created_at),
      last_token_at: null,
    })),
  ]
}
