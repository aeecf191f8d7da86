import { sql } from 'kysely'
import { findShopId } from '#catalog/theme-settings/queries.ts'
import { emit } from '#history/events/emit.commands.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { CompanyTime } from '#platform/clock.ts'
import { BATCH_ROWS } from '#platform/db/batches.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns, Row } from '#platform/db/expressions.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { deleteMailsOfLinks } from '#platform/mail/store.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { newsletterShopUnknown } from '../errors.ts'
import { askForConfirmation, passLinksOn } from '../newsletter/commands.ts'
import { findConfirmation, findLeaving, listLeavingTokens } from '../newsletter/queries.ts'
import { getPerson } from '../queries.ts'
import { assertStorable, type Follower, followed } from '../rules.ts'
import { presentNewsRecipient } from './present.ts'
import { lockNewsRecipient, lockNewsRecipientAt, lockNewsRecipientsOf, NEWS_RECIPIENTS } from './queries.ts'
import {
  type Consent,
  changeNewsRecipient,
  confirmed,
  confirmedByLink,
  mergeNewsRecipients,
  newNewsRecipient,
  newsRecipientState,
  readConsent,
  signedUpAgain,
  unsubscribed,
} from './rules.ts'
import type { NewsRecipientChange, NewsRecipientInput } from './schema.ts'
import type { NewsRecipientState } from './state.ts'

type Owner = { companyId: number }

const eventData = ({ id }: NewsRecipientState) => ({ type: 'newsrecipient', id: String(id) }) as const

export type SignUp = Written<NewsRecipientState> & { isNew: boolean }

/**
 * Signs a person up for the newsletter of a shop. Unless the caller has the consent, the person is asked by mail and is
 * pending until then. Somebody who has signed up before is asked again if need be, and never gets a second entry.
 */
export async function signUp(
  tx: Tx,
  { companyId }: Owner,
  input: NewsRecipientInput,
  baseUrl: string,
  now: Date,
): Promise<SignUp> {
  assertStorable(input)
  const consent = readConsent(input, now)
  const person = await getPerson(tx, companyId, input)
  const shopId = await findShopId(tx, companyId, input.theme_setting_id ?? 0)
  if (shopId === undefined) throw validationFailed('theme_setting_id', newsletterShopUnknown())
  const there = await lockNewsRecipientAt(tx, companyId, shopId, person.email)
  const added = there === undefined ? await add(tx, companyId, shopId, person, input.language, consent, now) : undefined
  // Another request may have added the same person in the meantime.
  const before = added ?? there ?? (await lockNewsRecipientAt(tx, companyId, shopId, person.email))
  if (before === undefined) throw new Error('a recipient was neither added nor found')
  const recipient = consent === undefined ? signedUpAgain(before, now) : confirmed(before, consent, now)
  if (recipient !== before) await save(tx, recipient, now)
  if (consent === undefined && newsRecipientState(recipient) === 'pending')
    await askForConfirmation(tx, recipient, baseUrl, now)
  return { ...written(recipient), isNew: added !== undefined }
}

/** Adds a recipient; undefined if there is one with this address. */
async function add(
  tx: Tx,
  companyId: number,
  shopId: number,
  { email, customer_token, language }: Awaited<ReturnType<typeof getPerson>>,
  asked: string | undefined,
  consent: Consent | undefined,
  now: Date,
): Promise<NewsRecipientState | undefined> {
  const { takeRowId } = await takeIds(tx, NEWS_RECIPIENTS, 1, 0)
  const given = {
    company_id: companyId,
    id: takeRowId(),
    email,
    customer_token,
    theme_setting_id: shopId,
    language: asked?.toLowerCase() ?? language ?? (await getCorrespondent(tx, companyId)).language,
    unsubscribe_token: randomToken(),
  }
  const recipient = newNewsRecipient(given, consent, now)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('news_recipients')
    .values(recipient)
    .onConflict((conflict) => conflict.expression(sql`company_id, theme_setting_id, lower(email)`).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return undefined
  await adjustCounter(tx, companyId, NEWS_RECIPIENTS, 1)
  await emit(tx, companyId, 'newsrecipient/create', now, [eventData(recipient)])
  return recipient
}

/** Changes the fields that the input names. */
export async function updateNewsRecipient(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: NewsRecipientChange,
  now: Date,
): Promise<Written<NewsRecipientState>> {
  assertStorable(input)
  const before = await lockNewsRecipient(tx, companyId, ref)
  return written(await change(tx, before, changeNewsRecipient(before, input, now), now))
}

/** Confirms the recipient who follows a link; undefined if the link does not work. */
export async function confirmByLink(tx: Tx, token: string, time: CompanyTime): Promise<NewsRecipientState | undefined> {
  const found = await findConfirmation(tx, token, time)
  if (found === undefined) return undefined
  const now = time(found.company_id)
  const before = await lockNewsRecipient(tx, found.company_id, String(found.id))
  const state = newsRecipientState(before)
  // The address may have changed, or the recipient left, before the row was locked.
  if (before.email !== found.email || state === 'unsubscribed') return undefined
  return state === 'pending' ? change(tx, before, confirmedByLink(before, now), now) : before
}

/** Unsubscribes the recipient who follows a link; undefined if the link does not work. */
export async function unsubscribeByLink(
  tx: Tx,
  token: string,
  time: CompanyTime,
): Promise<NewsRecipientState | undefined> {
  const found = await findLeaving(tx, token)
  if (found === undefined) return undefined
  const now = time(found.company_id)
  const before = await lockNewsRecipient(tx, found.company_id, String(found.id))
  return change(tx, before, unsubscribed(before, now), now)
}

export async function deleteNewsRecipient(tx: Tx, { companyId }: Owner, ref: string): Promise<void> {
  const recipient = await lockNewsRecipient(tx, companyId, ref)
  await deleteMailsOf(tx, companyId, [recipient])
  await remove(tx, recipient)
}

/** Called when companies come to know a customer, or when the customer's address changes. */
export async function followRecipient(
  tx: Tx,
  companyIds: readonly number[],
  customer: Follower,
  now: Date,
): Promise<void> {
  const entries = await lockNewsRecipientsOf(tx, companyIds, customer)
  const placeOf = ({ theme_setting_id }: NewsRecipientState) => String(theme_setting_id)
  const { changed, dropped } = followed(entries, placeOf, mergeNewsRecipients, customer, now)
  for (const { entry, survivor } of dropped) {
    await passLinksOn(tx, entry, survivor, now)
    await remove(tx, entry)
  }
  for (const recipient of changed) await save(tx, recipient, now)
}

/** Deletes the entries that a company has of a customer, also those under the address alone. */
export async function deleteRecipientsOf(tx: Tx, companyId: number, { token, email }: Follower): Promise<void> {
  const recipients = await lockNewsRecipientsOf(tx, [companyId], { token, email })
  await deleteMailsOf(tx, companyId, recipients)
  for (const recipient of recipients) await remove(tx, recipient)
}

/** Deletes the mails to recipients, also those to an address that they had before. */
async function deleteMailsOf(tx: Tx, companyId: number, recipients: readonly NewsRecipientState[]): Promise<void> {
  for (const recipient of recipients) await deleteMailsOfLinks(tx, companyId, await listLeavingTokens(tx, recipient))
}

const KEPT_DAYS = 30

/**
 * Deletes those who signed up and never agreed: there is no reason to keep their addresses. Those who had left before are
 * unsubscribed again instead, so that it stays on record.
 */
export async function deleteUnconfirmed(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  const isGivenUp = sql`confirmed_at is null and unsubscribed_at is null and created_at < ${oldest}
    and not exists (select from news_confirmations as link where link.company_id = news_recipients.company_id
      and link.recipient_id = news_recipients.id and link.expires_at > ${now})`
  const { rows: left } = await sql<Row<'news_recipients'>>`update news_recipients
    set unsubscribed_at = last_unsubscribed_at, updated_at = ${now}
    where ctid = any(array(select ctid from news_recipients where last_unsubscribed_at is not null and ${isGivenUp}
      limit ${BATCH_ROWS} for update skip locked)) returning *`.execute(tx)
  for (const [companyId, recipients] of Map.groupBy(left, ({ company_id }) => company_id))
    await emit(tx, companyId, 'newsrecipient/update', now, recipients.map(eventData))
  const { rows } = await sql<Columns<'news_recipients', 'company_id'>>`delete from news_recipients
    where ctid = any(array(select ctid from news_recipients where last_unsubscribed_at is null and ${isGivenUp}
      limit ${BATCH_ROWS} for update skip locked)) returning company_id`.execute(tx)
  for (const [companyId, deleted] of Map.groupBy(rows, ({ company_id }) => company_id))
    await adjustCounter(tx, companyId, NEWS_RECIPIENTS, -deleted.length)
  return left.length + rows.length
}

async function change(
  tx: Tx,
  before: NewsRecipientState,
  after: NewsRecipientState,
  now: Date,
): Promise<NewsRecipientState> {
  if (after !== before) await save(tx, after, now)
  return after
}

async function save(tx: Tx, recipient: NewsRecipientState, now: Date): Promise<void> {
  await tx
    .updateTable('news_recipients')
    .set(recipient)
    .where('company_id', '=', recipient.company_id)
    .where('id', '=', recipient.id)
    .execute()
  await emit(tx, recipient.company_id, 'newsrecipient/update', now, [eventData(recipient)])
}

async function remove(tx: Tx, { company_id, id }: NewsRecipientState): Promise<void> {
  await tx.deleteFrom('news_recipients').where('company_id', '=', company_id).where('id', '=', id).execute()
  await adjustCounter(tx, company_id, NEWS_RECIPIENTS, -1)
}

function written(recipient: NewsRecipientState): Written<NewsRecipientState> {
  return { state: recipient, document: asciiJson(presentNewsRecipient(recipient)) }
}
