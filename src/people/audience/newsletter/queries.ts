import { readSender as readShop } from '#catalog/theme-settings/sender.queries.ts'
import type { Shop } from '#identity/companies/letterhead.mails.ts'
import type { CompanyTime } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { NewsRecipientState } from '../news-recipients/state.ts'
import { dayBefore, isLinkToken } from './rules.ts'

/** The mark by which a link knows the address that it was mailed to. */
export function mailedToHash(email: string): Buffer {
  return tokenHash(email.toLowerCase())
}

/**
 * The recipient whom a link confirms; undefined if it is unknown or too old, if the recipient has left since, or if it was
 * mailed to another address than the one that the recipient has now.
 */
export async function findConfirmation(
  db: Db,
  token: string,
  now: CompanyTime,
): Promise<NewsRecipientState | undefined> {
  const found = await db
    .selectFrom('news_confirmations')
    .innerJoin('news_recipients', (join) =>
      join
        .onRef('news_recipients.company_id', '=', 'news_confirmations.company_id')
        .onRef('news_recipients.id', '=', 'news_confirmations.recipient_id'),
    )
    .selectAll('news_recipients')
    .select(['news_confirmations.mailed_to_hash', 'news_confirmations.expires_at'])
    .where('news_confirmations.token_hash', '=', tokenHash(token))
    .where('news_recipients.unsubscribed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { mailed_to_hash, expires_at, ...recipient } = found
  if (expires_at <= now(recipient.company_id)) return undefined
  return mailed_to_hash?.equals(mailedToHash(recipient.email)) ? recipient : undefined
}

/** The recipient whose link to leave has this token, also that of an entry which was merged into this one. */
export async function findLeaving(db: Db, token: string): Promise<NewsRecipientState | undefined> {
  if (!isLinkToken(token)) return undefined
  const recipient = await db
    .selectFrom('news_recipients')
    .selectAll()
    .where('news_recipients.unsubscribe_token', '=', token)
    .executeTakeFirst()
  return recipient ?? findMerged(db, token)
}

function findMerged(db: Db, token: string): Promise<NewsRecipientState | undefined> {
  return db
    .selectFrom('former_unsubscribe_tokens')
    .innerJoin('news_recipients', (join) =>
      join
        .onRef('news_recipients.company_id', '=', 'former_unsubscribe_tokens.company_id')
        .onRef('news_recipients.id', '=', 'former_unsubscribe_tokens.recipient_id'),
    )
    .selectAll('news_recipients')
    .where('former_unsubscribe_tokens.token', '=', token)
    .executeTakeFirst()
}

/** The tokens of all links with which a recipient can leave. */
export async function listLeavingTokens(db: Db, recipient: NewsRecipientState): Promise<string[]> {
  const former = await db
    .selectFrom('former_unsubscribe_tokens')
    .select('token')
    .where('company_id', '=', recipient.company_id)
    .where('recipient_id', '=', recipient.id)
    .execute()
  return [recipient.unsubscribe_token, ...former.map(({ token }) => token)]
}

/** How many mails with a link the company has written to an address within a day. */
export async function countConfirmations(db: Db, companyId: number, address: Buffer, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('news_confirmations')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('address_hash', '=', address)
    .where('created_at', '>', dayBefore(now))
    .executeTakeFirstOrThrow()
  return count
}

/** How many mails with a link the company has written within a day, to whomever. */
export async function countAsked(db: Db, companyId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('news_confirmations')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('created_at', '>', dayBefore(now))
    .executeTakeFirstOrThrow()
  return count
}

/** The sender of a newsletter: the shop in the recipient's language. */
export type Sender = Omit<Shop, 'country'>

export async function readSender(db: Db, recipient: NewsRecipientState, baseUrl?: string): Promise<Sender> {
  const { company_id: companyId, theme_setting_id: shopId, language } = recipient
  return (await readShop(db, { companyId, shopId }, language, baseUrl)).sender
}
