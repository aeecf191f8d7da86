import type { Static } from 'typebox'
import { wireTime } from '#platform/wire/times.ts'
import type { AllowedApp, CustomerApp } from '../queries.ts'
import { knownScopes } from '../scopes.facts.ts'
import type { AppPermission } from './schema.ts'

/** An app that was allowed more than once is listed once, with all of its scopes. */
function oncePerApp(apps: AllowedApp[]): AllowedApp[] {
  const byId = new Map<number, AllowedApp>()
  for (const app of apps) {
    const latest = byId.get(app.app_id) ?? app
    byId.set(app.app_id, { ...latest, scopes: [...new Set([...latest.scopes, ...app.scopes])] })
  }
  return [...byId.values()]
}

/** The apps of the company, and those that its customers have let in, each for themselves. */
export function presentAppPermissions(apps: AllowedApp[], customerApps: CustomerApp[]): Static<typeof AppPermission>[] {
  return [
    ...oncePerApp(apps).map(({ app_id, name, scopes, user_email, created_at }) => ({
      id: app_id,
      name,
      scopes: [...knownScopes(scopes)],
      user_email,
      customers: 0,
      created_at: wireTime(created_at),
    })),
    ...customerApps.map(({ app_id, name, customers, created_at }) => ({
      id: app_id,
      name,
      scopes: ['player'],
      user_email: null,
      customers,
      created_at: wireTime(created_at),
    })),
  ]
}
