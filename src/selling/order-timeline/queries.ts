import { readAppNames } from '#apps/oauth/queries.ts'
import { readDeedsOn } from '#history/audit/queries.ts'
import { readUserNames } from '#identity/users/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readMailsAbout } from '#platform/mail/store.ts'
import { readDownloadsOfOrder, readFirstUsesOfOrder } from '#rights/entitlements/uses/queries.ts'
import { readInvoices } from '#selling/invoices/queries.ts'
import { readFulfillments } from '#selling/orders/fulfillments/queries.ts'
import { readLatestNotes } from '#selling/orders/notes/queries.ts'
import { getOrder } from '#selling/orders/queries.ts'
import { deedSubjects, orderName } from '#selling/orders/rules.ts'
import type { Happened } from './state.ts'

/** Of each kind: more than anybody reads. */
const LATEST_MAX = 100

/** Everything that happened to an order; another company's is not found. */
export async function readHappened(db: Db, companyId: number, ref: string): Promise<Happened> {
  const order = await getOrder(db, companyId, ref)
  const { id } = order
  const [fulfillments, deeds, notes, mails, used, downloads, invoices] = await Promise.all([
    readFulfillments(db, companyId, [order]),
    readDeedsOn(db, companyId, deedSubjects(id), LATEST_MAX),
    readLatestNotes(db, companyId, id, LATEST_MAX),
    readMailsAbout(db, companyId, orderName(id), LATEST_MAX),
    readFirstUsesOfOrder(db, companyId, id, LATEST_MAX),
    readDownloadsOfOrder(db, companyId, id, LATEST_MAX),
    readInvoices(db, companyId, id),
  ])
  const authors = [...deeds, ...notes]
  const [users, apps] = await Promise.all([
    readUserNames(db, companyId, idsOf(authors.map(({ user_id }) => user_id))),
    readAppNames(db, idsOf(authors.map(({ app_id }) => app_id))),
  ])
  return { order, fulfillment: fulfillments[0], deeds, notes, mails, used, downloads, invoices, users, apps }
}

function idsOf(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.flatMap((id) => id ?? []))]
}
