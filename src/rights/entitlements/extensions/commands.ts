import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { changeOne } from '../commands.ts'
import { extensionOwesOwner } from '../errors.ts'
import type { EntitlementState } from '../state.ts'
import { extend, inFewWords } from './rules.ts'
import type { ExtensionInput } from './schema.ts'

/** Gives a customer more time, downloads or devices for something that they own. */
export async function extendEntitlement(
  tx: Tx,
  author: Author,
  ref: string,
  input: ExtensionInput,
  now: Date,
): Promise<Written<EntitlementState>> {
  const change = (before: EntitlementState) => {
    if (before.content_company_id !== before.company_id) throw extensionOwesOwner()
    return extend(before, input, now)
  }
  const written = await changeOne(
    tx,
    author,
    ref,
    { action: 'content extended', change, details: inFewWords(input) },
    now,
  )
  const { company_id, id, terms } = written.state
  // Nothing else ever changes the copy of the license.
  await tx
    .updateTable('entitlements')
    .set({ terms: asciiJson(terms) })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
  return written
}
