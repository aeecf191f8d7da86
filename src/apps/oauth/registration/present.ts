import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { knownScopes } from '../scopes.facts.ts'
import type { OwnApp } from '../state.ts'
import type { RegisteredApp } from './schema.ts'

/** An app as the company that registered it sees it. It is presented when it is read: there are few, and no app reads them. */
export function presentRegisteredApp(app: OwnApp): RegisteredApp {
  return {
    id: app.id,
    client_id: app.client_id,
    name: app.name,
    redirect_uris: app.redirect_uris,
    scopes: knownScopes(app.scopes),
    developer_email: app.developer_email,
    data_change_sync_url: app.data_change_sync_url,
    is_installed: app.is_installed,
    previous_secret_until: wireTimeOrNull(app.previous_secret_until),
    created_at: wireTime(app.created_at),
    updated_at: wireTime(app.updated_at),
  }
}
