import { sql } from 'kysely'
import { normalizeEmail } from '#identity/attempts/rules.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import { confirmationMail } from './mails.ts'
import { countConfirmations, mailedToHash, readSender } from './queries.ts'
import { CONFIRMATIONS_A_DAY_MAX, confirmationPath, linkExpiry, unsubscribePath } from './rules.ts'

/** Asks a recipient by mail to confirm, up to the daily limit. The caller has locked the recipient. */
export async function askForConfirmation(
  tx: Tx,
  recipient: NewsRecipientState,
  baseUrl: string,
  now: Date,
): Promise<void> {
  const { company_id, id, email } = recipient
  const address = tokenHash(normalizeEmail(email))
  if ((await countConfirmations(tx, company_id, address, now)) >= CONFIRMATIONS_A_DAY_MAX) return
  const token = randomToken()
  const expires = linkExpiry(now)
  await tx
    .insertInto('news_confirmations')
    .values({
      token_hash: tokenHash(token),
      company_id,
      recipient_id: id,
      address_hash: address,
      mailed_to_hash: mailedToHash(email),
      created_at: now,
      expires_at: expires,
    })
    .execute()
  const links = {
    confirm: `${baseUrl}${confirmationPath(token)}`,
    unsubscribe: `${baseUrl}${unsubscribePath(recipient)}`,
    expires,
  }
  await queueMail(tx, confirmationMail(recipient, await readSender(tx, recipient, baseUrl), links), now)
}

/** Makes the links in mails to an entry lead to the one that it is merged into. */
export async function passLinksOn(tx: Tx, from: NewsRecipientState, to: NewsRecipientState, now: Date): Promise<void> {
  for (const table of ['news_confirmations', 'former_unsubscribe_tokens'] as const)
    await tx
      .updateTable(table)
      .set({ recipient_id: to.id })
      .where('company_id', '=', from.company_id)
      .where('recipient_id', '=', from.id)
      .execute()
  await tx
    .insertInto('former_unsubscribe_tokens')
    .values({ token: from.unsubscribe_token, company_id: to.company_id, recipient_id: to.id, created_at: now })
    .execute()
}

/** Links in mails have to work for years, but not for ever. */
const FORMER_TOKEN_YEARS = 3

/** Deletes a batch of links that do not work any more, or are in mails that nobody reads any more; returns how many. */
export async function deleteOldConfirmations(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - FORMER_TOKEN_YEARS * 365 * 86_400_000)
  return (
    (await deleteBatch(tx, 'news_confirmations', 'expires_at', sql`expires_at <= ${now}`)) +
    (await deleteBatch(tx, 'former_unsubscribe_tokens', 'created_at', sql`created_at < ${oldest}`))
  )
}
