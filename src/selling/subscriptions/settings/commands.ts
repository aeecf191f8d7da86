import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentSettings } from './present.ts'
import { lockSettings } from './queries.ts'
import { changeSettings, newSettings } from './rules.ts'
import type { SubscriptionSettingsInput } from './schema.ts'
import type { SubscriptionSettings } from './state.ts'

/** Locks the settings, which most companies have never changed. */
export async function holdSettings(tx: Tx, companyId: number): Promise<SubscriptionSettings> {
  await tx
    .insertInto('subscription_settings')
    .values(newSettings(companyId))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return lockSettings(tx, companyId)
}

/** Changes the settings that the input names. They count for what happens from now on. */
export async function updateSettings(
  tx: Tx,
  author: Author,
  input: SubscriptionSettingsInput,
  now: Date,
): Promise<Written<SubscriptionSettings>> {
  const after = changeSettings(await holdSettings(tx, author.companyId), input, now)
  await tx.updateTable('subscription_settings').set(after).where('company_id', '=', after.company_id).execute()
  await recordChange(tx, author, 'subscription settings changed', Object.keys(input).join(', '), now)
  return { state: after, document: asciiJson(presentSettings(after)) }
}
