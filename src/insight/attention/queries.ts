import { readFailingWebhooks } from '#apps/webhooks/queries.ts'
import { readFlaws } from '#catalog/products/sale/assortment.queries.ts'
import type { Db } from '#platform/db/database.ts'
import { countFailedJobs } from '#platform/jobs/queue.ts'
import { countFailedMails } from '#platform/mail/store.ts'
import { readUnstampable } from '#rights/stamping/queries.ts'
import { countOrders } from '#selling/orders/queries.ts'
import { countPayments } from '#selling/payments/queries.ts'
import { countReviews } from '#selling/reviews/queries.ts'
import { countSubscriptions } from '#selling/subscriptions/queries.ts'
import type { Found, Rights } from './state.ts'

export { readBackupHealth } from '#insight/backup-runs/queries.ts'

async function readOrders(db: Db, companyId: number): Promise<Found[]> {
  const [toShip, unpaid, pastDue] = await Promise.all([
    countOrders(db, companyId, { fulfillment_status: 'unshipped' }),
    countOrders(db, companyId, { financial_status: 'pending' }),
    countSubscriptions(db, companyId, { status: 'past_due' }),
  ])
  return [
    { kind: 'orders_to_ship', count: toShip },
    { kind: 'orders_unpaid', count: unpaid },
    { kind: 'subscriptions_past_due', count: pastDue },
  ]
}

async function readPayments(db: Db, companyId: number): Promise<Found[]> {
  return [{ kind: 'payments_flagged', count: await countPayments(db, companyId, { flagged: true }) }]
}

async function readProducts(db: Db, companyId: number): Promise<Found[]> {
  const [{ notBuyable, lowStock }, waiting] = await Promise.all([
    readFlaws(db, companyId),
    countReviews(db, companyId, { state: 'waiting' }),
  ])
  return [
    {
      kind: 'products_not_buyable',
      count: notBuyable.count,
      subject: notBuyable.latest?.title,
      subjectId: notBuyable.latest?.id,
    },
    {
      kind: 'products_low_stock',
      count: lowStock.count,
      subject: lowStock.latest?.title,
      subjectId: lowStock.latest?.id,
    },
    { kind: 'reviews_waiting', count: waiting },
  ]
}

async function readFiles(db: Db, companyId: number): Promise<Found[]> {
  const { count, latest } = await readUnstampable(db, companyId)
  return [{ kind: 'files_failed', count, subject: latest?.title, subjectId: latest?.id }]
}

const hostOf = (address: string | undefined) => (address === undefined ? undefined : URL.parse(address)?.host)

async function readWebhooks(db: Db, companyId: number): Promise<Found[]> {
  const webhooks = await readFailingWebhooks(db, companyId)
  const of = (isActive: boolean, kind: Found['kind']): Found => {
    const some = webhooks.filter(({ is_active }) => is_active === isActive)
    return { kind, count: some.length, subject: hostOf(some[0]?.address), subjectId: some[0]?.id }
  }
  return [of(true, 'webhooks_failing'), of(false, 'webhooks_deactivated')]
}

async function readService(db: Db, companyId: number): Promise<Found[]> {
  const [mails, jobs] = await Promise.all([countFailedMails(db, companyId), countFailedJobs(db, companyId)])
  return [
    { kind: 'mails_failed', count: mails },
    { kind: 'jobs_given_up', count: jobs },
  ]
}

const PARTS: Record<keyof Rights, (db: Db, companyId: number) => Promise<Found[]>> = {
  orders: readOrders,
  payments: readPayments,
  products: readProducts,
  files: readFiles,
  webhooks: readWebhooks,
  service: readService,
}

/** What needs attention, as far as the caller may see it. Nothing else is read. */
export async function readAttention(db: Db, companyId: number, rights: Rights): Promise<Found[]> {
  const names = (Object.keys(PARTS) as (keyof Rights)[]).filter((name) => rights[name])
  const parts = await Promise.all(names.map((name) => PARTS[name](db, companyId)))
  return parts.flat()
}
