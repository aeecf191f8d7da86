import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { newSettings } from './rules.ts'
import type { SubscriptionSettings } from './state.ts'

/** Every read of the settings starts here, so none can forget the company. */
function settingsOf(db: Db, companyId: number) {
  return db.selectFrom('subscription_settings').where('subscription_settings.company_id', '=', companyId).selectAll()
}

const ofCompany = prepare((db: Db, companyId: number) => settingsOf(db, companyId).compile())

export async function readSettings(db: Db, companyId: number): Promise<SubscriptionSettings> {
  const [settings] = await ofCompany(db, companyId)
  return settings ?? newSettings(companyId)
}

export function lockSettings(tx: Tx, companyId: number): Promise<SubscriptionSettings> {
  return settingsOf(tx, companyId).forNoKeyUpdate().executeTakeFirstOrThrow()
}
