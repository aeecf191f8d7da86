import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { PaymentWork } from '#selling/payments/gateways/commands.ts'
import type { Report } from '#selling/payments/state.ts'
import { ADVANCE_SUBSCRIPTIONS } from '../jobs.ts'
import { lockSubscription } from '../queries.ts'
import type { SubscriptionState } from '../state.ts'
import { type Charge, proceed } from '../steps.commands.ts'
import { advance, askFor, follow } from './charge.worker.ts'

/** How long gateways may take for one job. */
const JOB_MS = 30_000
/** Charges of one job about which a gateway is asked at the same time. */
const ASKED_AT_ONCE = 3

/**
 * advance for several: what the database alone can do is done for all of them in one transaction, before and after the gateway is
 * asked. If that fails, each is tried by itself. Those that cannot be done now get a job of their own, which delays no other.
 */
export async function advanceAll(work: PaymentWork, companyId: number, ids: readonly number[]): Promise<void> {
  const [only] = ids
  if (ids.length === 1 && only !== undefined) return advance(work, companyId, only)
  const end = performance.now() + JOB_MS
  const left = await advanceTogether(work, companyId, ids, end).catch(() => advanceEach(work, companyId, ids, end))
  const jobs = left.map((id) => ({ kind: ADVANCE_SUBSCRIPTIONS, companyId, data: { subscription_ids: [id] } }))
  if (jobs.length > 0) await work.change((tx) => enqueue(tx, jobs, work.now(companyId)))
}

/** One after another. Returns those that fail, and those that are left when a gateway takes too long. */
async function advanceEach(work: PaymentWork, companyId: number, ids: readonly number[], end: number) {
  const left: number[] = []
  for (const id of ids) {
    if (performance.now() > end) left.push(id)
    else await advance(work, companyId, id).catch(() => left.push(id))
  }
  return left
}

/** A charge of one of several subscriptions. */
type Begun = { id: number; charge: Charge }
type Asked = Begun & { report: Report }

async function advanceTogether(work: PaymentWork, companyId: number, ids: readonly number[], end: number) {
  const { first, others } = await work.change((tx) => beginAll(work, tx, companyId, ids))
  const left = others
  let begun = first
  while (begun.length > 0) {
    const { asked, failed } = await askAll(work, begun, end)
    left.push(...failed)
    begun = await work.change((tx) => followAll(work, tx, companyId, asked))
  }
  return left
}

async function beginAll(work: PaymentWork, tx: Tx, companyId: number, ids: readonly number[]) {
  const all = await lockInOrder(tx, companyId, ids)
  const isFirst = ({ customer_id, id }: SubscriptionState) =>
    all.find((other) => other.customer_id === customer_id)?.id === id
  const first = await together(all.filter(isFirst), async (locked): Promise<Begun[]> => {
    const { id } = locked
    const charge = await proceed(tx, companyId, id, work.now(companyId), { locked })
    return charge === undefined ? [] : [{ id, charge }]
  })
  // Two sales to a customer in one transaction do not wait for each other, and each would write numbers that lack the other.
  const others = all.filter((each) => !isFirst(each)).map(({ id }) => id)
  return { first: first.flat(), others }
}

/** Asks the gateway about some charges at a time, until the time is over. */
async function askAll(work: PaymentWork, begun: readonly Begun[], end: number) {
  const [asked, failed]: [Asked[], number[]] = [[], []]
  const ask = async (one: Begun) => {
    const report = performance.now() > end ? undefined : await askFor(work, one.charge).catch(() => undefined)
    if (report === undefined) failed.push(one.id)
    else asked.push({ ...one, report })
  }
  for (let from = 0; from < begun.length; from += ASKED_AT_ONCE)
    await Promise.all(begun.slice(from, from + ASKED_AT_ONCE).map(ask))
  return { asked, failed }
}

/** Records what the gateway said, and goes on. Returns the charges that come next. */
async function followAll(work: PaymentWork, tx: Tx, companyId: number, asked: readonly Asked[]): Promise<Begun[]> {
  const byId = new Map(asked.map((one) => [one.id, one]))
  const all = await lockInOrder(tx, companyId, [...byId.keys()])
  const next = await together(all, async (locked): Promise<Begun[]> => {
    const { id } = locked
    const { charge: before, report } = byId.get(id) ?? {}
    if (before === undefined || report === undefined) return []
    const charge = await follow(tx, companyId, locked, before.payment.id, report, work.now(companyId))
    // The customer has something to do first, or the gateway takes its time.
    return charge === undefined || charge.payment.id === before.payment.id ? [] : [{ id, charge }]
  })
  return next.flat()
}

/** All are locked before anything else is, and then in the order of their customers: nobody waits for another one in a circle. */
async function lockInOrder(tx: Tx, companyId: number, ids: readonly number[]): Promise<SubscriptionState[]> {
  const inOrder = ids.toSorted((one, other) => one - other)
  const locked = await together(inOrder, (id) => lockSubscription(tx, companyId, String(id)))
  return locked.sort((one, other) => one.customer_id - other.customer_id || one.id - other.id)
}

/**
 * Does something for several at once in one transaction, so that their statements leave together. It ends when all have ended, also
 * if one has failed: nothing goes on after the transaction.
 */
async function together<One, Result>(all: readonly One[], work: (one: One) => Promise<Result>): Promise<Result[]> {
  const settled = await Promise.allSettled(all.map(work))
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}
