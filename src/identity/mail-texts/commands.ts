import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import type { MailKind } from './kinds.facts.ts'
import { presentMailTexts } from './present.ts'
import { lockMailTexts, readMailTexts, type StoredTexts } from './queries.ts'
import { changedTexts } from './rules.ts'
import type { MailTextsInput } from './schema.ts'

/** Changes the own texts of a kind of mail in a language. Mails that are written from now on have them. */
export async function changeMailTexts(
  tx: Tx,
  author: Author,
  ref: { kind: MailKind; language: string },
  input: MailTextsInput,
  now: Date,
): Promise<Written<StoredTexts>> {
  const { companyId } = author
  await lockMailTexts(tx, companyId)
  const before = await readMailTexts(tx, companyId, ref)
  const after = { ...before, texts: changedTexts(before, input.texts), updated_at: now }
  const row = { texts: JSON.stringify(after.texts), updated_at: now }
  await tx
    .insertInto('mail_texts')
    .values({ company_id: companyId, ...ref, ...row })
    .onConflict((conflict) => conflict.columns(['company_id', 'kind', 'language']).doUpdateSet(row))
    .execute()
  await recordChange(tx, author, 'mail texts changed', `${ref.kind} (${ref.language})`, now)
  return { state: after, document: asciiJson(presentMailTexts(after)) }
}
