import { Readable } from 'node:stream'
import { type Attempt, attempt, type LimitDependencies } from '#identity/attempts/guard.ts'
import type { Policy } from '#identity/attempts/rules.ts'
import { presentGroupMember } from '#people/audience/group-members/present.ts'
import { listGroupMembers } from '#people/audience/group-members/queries.ts'
import { presentNewsRecipient } from '#people/audience/news-recipients/present.ts'
import { listNewsRecipients } from '#people/audience/news-recipients/queries.ts'
import { presentSubscriber } from '#people/audience/subscribers/present.ts'
import { listSubscribers } from '#people/audience/subscribers/queries.ts'
import { findCustomerDocument } from '#people/customers/queries.ts'
import type { CustomerSession, SignedInCustomer } from '#people/customers/sessions/state.ts'
import type { CompanyTime } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { type RowList, readPage } from '#platform/db/pages.ts'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import { asciiJson, wireTime } from '#platform/wire/times.ts'
import { presentDevice } from '#rights/entitlements/devices/present.ts'
import { listDevices } from '#rights/entitlements/devices/queries.ts'
import { documentsOf } from '#rights/entitlements/listed.queries.ts'
import { listEntitlements } from '#rights/entitlements/queries.ts'
import { listOrderIds, listOrders } from '#selling/orders/queries.ts'
import { wholeDocument as wholeOrder } from '#selling/orders/rules.ts'
import { presentWithdrawal } from '#selling/orders/withdrawals/present.ts'
import { readWithdrawalsOfOrders } from '#selling/orders/withdrawals/queries.ts'
import { presentReview } from '#selling/reviews/present.ts'
import { listReviews } from '#selling/reviews/queries.ts'
import { presentEntry, presentPeriod, presentSubscription } from '#selling/subscriptions/present.ts'
import { listSubscriptions, readChanges, readPeriods } from '#selling/subscriptions/queries.ts'
import type { ListedSubscription } from '#selling/subscriptions/state.ts'
import { readSavedProducts } from '#shop/wish-list/queries.ts'

/** Rows that are read at once: what one export costs in memory. */
const BATCH = 100

/** Batches of all exports that are read at once, so that many exports leave room for other requests. */
const READ_AT_ONCE = 2

/** More than anybody needs who looks at the data once, and then once more. */
const EXPORTS: Policy = { free: 5, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'itself' }

/** When to try again while another export runs, which takes as long as its client does. */
const RUNNING_SECONDS = 60

type Exported = Pick<SignedInCustomer, 'id' | 'token'>

export type Export = Attempt<Readable> | { kind: 'running'; seconds: number }

/**
 * Gives out what a company knows of a customer, batch by batch as the client takes it. Nothing is held while a slow client
 * reads but the place of the customer, who has one export at a time in each process.
 */
export function createExports(dependencies: LimitDependencies & { now: CompanyTime }) {
  const { db, now } = dependencies
  const running = new Set<string>()
  const reading = createSemaphore(READ_AT_ONCE)

  async function* textOf(companyId: number, customer: Exported): AsyncGenerator<string> {
    const document = await findCustomerDocument(db, companyId, customer.id)
    yield `{"customer":${document ?? 'null'}`
    for (const [name, readBatch] of Object.entries(sectionsOf(db, companyId, customer, now(companyId)))) {
      yield `,"${name}":[`
      yield* entriesOf((after) => reading(() => readBatch(after)))
      yield ']'
    }
    yield '}'
  }

  return async function startExport(
    { companyId }: Pick<CustomerSession, 'companyId'>,
    customer: Exported,
    by: 'customer' | 'owner' = 'customer',
  ): Promise<Export> {
    // Whoever helps a customer takes none of the customer's own attempts.
    const key = `${by === 'owner' ? 'owner ' : ''}export ${companyId} ${customer.id}`
    if (running.has(key)) return { kind: 'running', seconds: RUNNING_SECONDS }
    running.add(key)
    try {
      const started = await attempt(dependencies, [{ key, policy: EXPORTS }], async () =>
        Readable.from(textOf(companyId, customer)),
      )
      if (started.kind === 'made') started.result.once('close', () => running.delete(key))
      else running.delete(key)
      return started
    } catch (error) {
      running.delete(key)
      throw error
    }
  }
}

type Batch = Awaited<ReturnType<typeof readPage>>
type ReadBatch = (after: number) => Promise<Batch>

/** The entries of a list, with commas between them. */
async function* entriesOf(readBatch: ReadBatch): AsyncGenerator<string> {
  let isFirst = true
  for (let after = 0, more = true; more; ) {
    const batch = await readBatch(after)
    if (batch.documents.length > 0) yield (isFirst ? '' : ',') + batch.documents.join()
    isFirst &&= batch.documents.length === 0
    after = batch.lastId
    more = batch.more
  }
}

/** More periods than anybody is charged for, and what happened in them. */
const OF_SUBSCRIPTION_MAX = 2000

/** A subscription with its periods, whose orders are beside it, and with what happened. */
async function wholeSubscription(db: Db, subscription: ListedSubscription): Promise<string> {
  const { company_id, id } = subscription
  const [periods, changes] = await Promise.all([
    readPeriods(db, company_id, id, OF_SUBSCRIPTION_MAX),
    readChanges(db, subscription, OF_SUBSCRIPTION_MAX),
  ])
  const timeline = changes.map(presentEntry)
  return asciiJson({ ...presentSubscription(subscription), periods: periods.map(presentPeriod), timeline })
}

/** Everything but the customer's own document, as the API presents it. */
function sectionsOf(db: Db, companyId: number, customer: Exported, now: Date): Record<string, ReadBatch> {
  const owner = { companyId, customerId: customer.id }
  const mine = { customer_token: customer.token }
  const batches =
    <Row extends { id: number }>(
      list: RowList<Row>,
      present: (rows: Row[]) => string[] | Promise<string[]>,
    ): ReadBatch =>
    (after) =>
      readPage(list, present, { after, limit: BATCH, offset: 0 })
  return {
    orders: batches(listOrders(db, companyId, mine), (rows) => rows.map(wholeOrder)),
    entitlements: batches(listEntitlements(db, owner, {}, now), (rows) => documentsOf(db, companyId, rows, now)),
    devices: batches(listDevices(db, owner), (rows) => rows.map((device) => asciiJson(presentDevice(device)))),
    withdrawals: batches(listOrderIds(db, companyId, customer.token), async (rows) => {
      const ids = rows.map(({ id }) => id)
      const declared = await readWithdrawalsOfOrders(db, companyId, ids)
      return declared.map((withdrawal) => asciiJson(presentWithdrawal(withdrawal)))
    }),
    reviews: batches(listReviews(db, companyId, { customer: customer.id }), (rows) =>
      rows.map((review) => asciiJson(presentReview(review))),
    ),
    newsrecipients: batches(listNewsRecipients(db, companyId, mine), (rows) =>
      rows.map((recipient) => asciiJson(presentNewsRecipient(recipient))),
    ),
    groupmembers: batches(listGroupMembers(db, companyId, mine, now), (rows) =>
      rows.map((member) => asciiJson(presentGroupMember(member, now))),
    ),
    subscribers: batches(listSubscribers(db, companyId, mine, now), (rows) =>
      rows.map((subscriber) => asciiJson(presentSubscriber(subscriber, now))),
    ),
    subscriptions: batches(listSubscriptions(db, companyId, mine), (rows) =>
      Promise.all(rows.map((subscription) => wholeSubscription(db, subscription))),
    ),
    // So few that they are read at once.
    wishes: async () => {
      const saved = await readSavedProducts(db, owner)
      const documents = saved.map((wish) => asciiJson({ ...wish, created_at: wireTime(wish.created_at) }))
      return { documents, lastId: 0, more: false }
    },
  }
}
