import { findShopId } from '#catalog/theme-settings/queries.ts'
import { createGroupMember, updateGroupMember } from '#people/audience/group-members/commands.ts'
import { listGroupMembers } from '#people/audience/group-members/queries.ts'
import { changeGroupMember } from '#people/audience/group-members/rules.ts'
import { GroupMemberInput } from '#people/audience/group-members/schema.ts'
import { signUp, updateNewsRecipient } from '#people/audience/news-recipients/commands.ts'
import { listNewsRecipients } from '#people/audience/news-recipients/queries.ts'
import { isOutdated, newsRecipientState } from '#people/audience/news-recipients/rules.ts'
import { NewsRecipientInput } from '#people/audience/news-recipients/schema.ts'
import type { NewsRecipientState } from '#people/audience/news-recipients/state.ts'
import { countAsked } from '#people/audience/newsletter/queries.ts'
import { createSubscriber, updateSubscriber } from '#people/audience/subscribers/commands.ts'
import { listSubscribers } from '#people/audience/subscribers/queries.ts'
import { changeSubscriber } from '#people/audience/subscribers/rules.ts'
import { SubscriberInput } from '#people/audience/subscribers/schema.ts'
import type { RowList } from '#platform/db/pages.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { consentDateMissing, consentSourceMissing, tooManyAsked } from '../errors.ts'
import { createCheck } from './check.ts'
import { type Checked, type Context, type Found, type Importer, NotImported } from './context.ts'

const checkRecipient = createCheck(NewsRecipientInput)
const checkMember = createCheck(GroupMemberInput)
const checkSubscriber = createCheck(SubscriberInput)

/**
 * So many people without a consent get a mail through imports of one company within a day. A list that was bought would
 * otherwise be mailed to at once, and the service would be known as a sender of spam.
 */
export const ASKED_A_DAY_MAX = 1000

const ASKED = {
  field: 'confirmed_at',
  reason: 'news_recipient_asked',
  message: 'Without a consent, people are asked by mail, and get the newsletter once they have confirmed.',
}

async function firstOf<Row extends { id: number }>(list: RowList<Row>): Promise<Row | undefined> {
  const [row] = await list({ after: 0, limit: 1, offset: 0 })
  return row
}

/** Files name people by their addresses. */
function assertPerson({ email }: { email?: string }): void {
  if (email === undefined) throw validationFailed('email', fieldRequired())
}

/** A time without a source proves nothing, and a source without a time does not either. */
function assertProven({ confirmed_at, consent_source }: NewsRecipientInput): void {
  const report = new FieldReport()
  const hasSource = (consent_source ?? '').trim() !== ''
  if (confirmed_at !== undefined && !hasSource) report.add('consent_source', consentSourceMissing())
  if (confirmed_at === undefined && hasSource) report.add('confirmed_at', consentDateMissing())
  report.throwIfAny()
}

async function findRecipient(
  { tx, companyId }: Context,
  { email, theme_setting_id }: NewsRecipientInput,
): Promise<NewsRecipientState | undefined> {
  const shopId = await findShopId(tx, companyId, theme_setting_id ?? 0)
  if (shopId === undefined || email === undefined) return undefined
  return firstOf(listNewsRecipients(tx, companyId, { email, theme_setting_id: shopId }))
}

/** Who has left is not signed up again by a file: only a consent from after that counts. */
function staysAway(recipient: NewsRecipientState | undefined, { confirmed_at }: NewsRecipientInput): boolean {
  if (recipient === undefined || newsRecipientState(recipient) === 'confirmed') return false
  if (confirmed_at !== undefined) return isOutdated(recipient, readTime(confirmed_at))
  return recipient.unsubscribed_at !== null
}

/** Counts a person who has to be asked, before the mail is written. */
async function noteAsked(context: Context, where: string): Promise<void> {
  const { tx, companyId, now } = context
  context.asked ??= await countAsked(tx, companyId, now)
  if (context.asked >= ASKED_A_DAY_MAX) throw validationFailed('confirmed_at', tooManyAsked(ASKED_A_DAY_MAX))
  context.asked += 1
  context.warnings.push({ where, ...ASKED })
}

export const newsRecipients: Importer<NewsRecipientInput> = {
  atOnce: 1,
  isUnique: true,
  keyField: 'email',
  async read(context, { value }) {
    const input = checkRecipient(value)
    assertPerson(input)
    const { state }: { state?: unknown } = Object(value)
    const there = await findRecipient(context, input)
    if (/^(unsubscribed|cleaned)$/i.test(String(state ?? '')))
      return new NotImported(there?.id ?? 0, 'has left, as the file says')
    if (staysAway(there, input)) return new NotImported(there?.id ?? 0, 'has left the newsletter since')
    assertProven(input)
    return input
  },
  keyOf: ({ email = '', theme_setting_id }) => `${theme_setting_id ?? 0} ${email.toLowerCase()}`,
  async find(context, entries) {
    return Promise.all(entries.map(({ input }) => findRecipient(context, input)))
  },
  async create(context, { input, entry }) {
    const { tx, companyId, baseUrl, now } = context
    if (input.confirmed_at === undefined) await noteAsked(context, entry.where)
    return (await signUp(tx, { companyId }, input, baseUrl, now)).state.id
  },
  /** Whoever has confirmed stays as they are: what they did themselves proves more than a file. */
  async change(context, id, { input }) {
    const { tx, companyId, now } = context
    const { confirmed_at, consent_source = null } = input
    const before = await findRecipient(context, input)
    if (confirmed_at === undefined || before === undefined || newsRecipientState(before) === 'confirmed') return false
    await updateNewsRecipient(tx, { companyId }, String(id), { confirmed_at, consent_source }, now)
    return true
  },
}

type InGroup = { email?: string; group_id: string }

const inGroup = ({ email = '', group_id }: InGroup) => `${group_id} ${email.toLowerCase()}`

/** Finds each entry by itself, by address and group. */
function byGroup<Input extends InGroup>(
  find: (context: Context, person: { email: string; group_id: string }) => Promise<{ id: number } | undefined>,
) {
  return (context: Context, entries: readonly Checked<Input>[]): Promise<Found[]> =>
    Promise.all(entries.map(({ input: { email = '', group_id } }) => find(context, { email, group_id })))
}

export const groupMembers: Importer<GroupMemberInput> = {
  atOnce: 1,
  isUnique: true,
  keyField: 'email',
  async read(_context, { value }) {
    const input = checkMember(value)
    assertPerson(input)
    return input
  },
  keyOf: inGroup,
  find: byGroup(({ tx, companyId, now }, person) => firstOf(listGroupMembers(tx, companyId, person, now))),
  async create({ tx, companyId, now }, { input }) {
    return (await createGroupMember(tx, { companyId }, input, now)).state.id
  },
  async change({ tx, companyId, now }, id, { input: { email = '', ...change } }) {
    const before = await firstOf(listGroupMembers(tx, companyId, { email, group_id: change.group_id }, now))
    if (before !== undefined && changeGroupMember(before, change, now) === before) return false
    await updateGroupMember(tx, { companyId }, String(id), change, now)
    return true
  },
}

export const subscribers: Importer<SubscriberInput> = {
  atOnce: 1,
  isUnique: true,
  keyField: 'email',
  async read(_context, { value }) {
    const input = checkSubscriber(value)
    assertPerson(input)
    return input
  },
  keyOf: inGroup,
  find: byGroup(({ tx, companyId, now }, person) => firstOf(listSubscribers(tx, companyId, person, now))),
  async create({ tx, companyId, now }, { input }) {
    return (await createSubscriber(tx, { companyId }, input, now)).state.id
  },
  async change({ tx, companyId, now }, id, { input: { email = '', ...change } }) {
    const before = await firstOf(listSubscribers(tx, companyId, { email, group_id: change.group_id }, now))
    if (before !== undefined && changeSubscriber(before, change, now) === before) return false
    await updateSubscriber(tx, { companyId }, String(id), change, now)
    return true
  },
}
