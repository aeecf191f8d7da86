import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { asciiJson, wireTimeOrNull } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { subscriberTaken } from '../errors.ts'
import { getPerson } from '../queries.ts'
import { assertStorable, type Follower, followed, laterEnd } from '../rules.ts'
import { presentSubscriber } from './present.ts'
import { lockSubscriber, lockSubscriberIn, lockSubscribersOf, SUBSCRIBERS } from './queries.ts'
import { changeSubscriber, mergeSubscribers, newSubscriber } from './rules.ts'
import type { SubscriberChange, SubscriberInput } from './schema.ts'
import type { SubscriberState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

const eventData = ({ id }: SubscriberState) => ({ type: 'subscriber', id: String(id) }) as const

/** Subscribes a person to a group. A person is in a group once. */
export async function createSubscriber(
  tx: Tx,
  { companyId }: Owner,
  input: SubscriberInput,
  now: Date,
): Promise<Written<SubscriberState>> {
  assertStorable(input)
  const { email, customer_token } = await getPerson(tx, companyId, input)
  const { takeRowId } = await takeIds(tx, SUBSCRIBERS, 1, 0)
  const identity = { company_id: companyId, id: takeRowId(), email, customer_token }
  const subscriber = newSubscriber(identity, input, now)
  await tx.insertInto('subscribers').values(subscriber).execute().catch(refuseTaken)
  await adjustCounter(tx, companyId, SUBSCRIBERS, 1)
  await emit(tx, companyId, 'subscriber/create', now, [eventData(subscriber)])
  return written(subscriber, now)
}

/**
 * Makes a customer a subscriber of a group, or gives the subscription another end; null: it has none. Apps hear of it each time,
 * also if only the state behind it has changed.
 */
export async function setSubscription(
  tx: Tx,
  { companyId }: Owner,
  { customer_token, group_id }: { customer_token: string; group_id: string },
  ends_at: Date | null,
  now: Date,
): Promise<void> {
  const before = await lockSubscriberIn(tx, companyId, customer_token, group_id)
  if (before !== undefined) return save(tx, { ...before, ends_at, updated_at: now }, now)
  await createSubscriber(tx, { companyId }, { customer_token, group_id, ends_at: wireTimeOrNull(ends_at) }, now)
}

/** Changes the fields that the input names. */
export async function updateSubscriber(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: SubscriberChange,
  now: Date,
): Promise<Written<SubscriberState>> {
  const before = await lockSubscriber(tx, companyId, ref)
  const subscriber = changeSubscriber(before, input, now)
  if (subscriber !== before) await save(tx, subscriber, now)
  return written(subscriber, now)
}

/** Subscribes a customer until a time; null: without an end. A subscription that lasts longer already stays as it is. */
export async function subscribeUntil(
  tx: Tx,
  companyId: number,
  customer: Follower,
  { group_id, until }: { group_id: string; until: Date | null },
  now: Date,
): Promise<void> {
  const known = (await lockSubscribersOf(tx, [companyId], customer)).find((each) => each.group_id === group_id)
  const ends_at = wireTimeOrNull(known === undefined ? until : laterEnd(known.ends_at, until))
  if (known === undefined)
    await createSubscriber(tx, { companyId }, { customer_token: customer.token, group_id, ends_at }, now)
  else await updateSubscriber(tx, { companyId }, String(known.id), { ends_at }, now)
}

export async function deleteSubscriber(tx: Tx, { companyId }: Owner, ref: string): Promise<void> {
  await remove(tx, await lockSubscriber(tx, companyId, ref))
}

/** Called when companies come to know a customer, or when the customer's address changes. */
export async function followSubscriber(
  tx: Tx,
  companyIds: readonly number[],
  customer: Follower,
  now: Date,
): Promise<void> {
  const entries = await lockSubscribersOf(tx, companyIds, customer)
  const { changed, dropped } = followed(entries, ({ group_id }) => group_id, mergeSubscribers, customer, now)
  for (const { entry } of dropped) await remove(tx, entry)
  for (const subscriber of changed) await save(tx, subscriber, now)
}

/** Deletes the subscriptions that a company has of a customer, also those under the address alone. */
export async function deleteSubscriptionsOf(tx: Tx, companyId: number, { token, email }: Follower): Promise<void> {
  const { numAffectedRows = 0n } = await sql`delete from subscribers where company_id = ${companyId}
    and (customer_token = ${token} or lower(email) = lower(${email}))`.execute(tx)
  await adjustCounter(tx, companyId, SUBSCRIBERS, -Number(numAffectedRows))
}

async function save(tx: Tx, subscriber: SubscriberState, now: Date): Promise<void> {
  await tx
    .updateTable('subscribers')
    .set(subscriber)
    .where('company_id', '=', subscriber.company_id)
    .where('id', '=', subscriber.id)
    .execute()
    .catch(refuseTaken)
  await emit(tx, subscriber.company_id, 'subscriber/update', now, [eventData(subscriber)])
}

async function remove(tx: Tx, { company_id, id }: SubscriberState): Promise<void> {
  await tx.deleteFrom('subscribers').where('company_id', '=', company_id).where('id', '=', id).execute()
  await adjustCounter(tx, company_id, SUBSCRIBERS, -1)
}

function written(subscriber: SubscriberState, now: Date): Written<SubscriberState> {
  return { state: subscriber, document: asciiJson(presentSubscriber(subscriber, now)) }
}

function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'subscribers_person'
    ? validationFailed('group_id', subscriberTaken())
    : error
}
