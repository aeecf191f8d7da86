import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { readInvoiceSettings } from '#selling/invoices/queries.ts'
import { isUnpaidBill } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { paymentNotFound } from './errors.ts'
import { UNFINISHED_MINUTES } from './limits.facts.ts'
import { billEnd, offeredOf, PAYMENT_DUE_DAYS } from './rules.ts'
import type { PaymentFilters } from './schema.ts'
import type { GatewayName, GatewaySettings, PartOfRefund, PaymentState } from './state.ts'

export const PAYMENTS = 'payments'

/** Every read of payments starts here, so none can forget the company. */
function paymentsOf(db: Db, companyId: number) {
  return db.selectFrom('payments').where('payments.company_id', '=', companyId)
}

type Payments = ReturnType<typeof paymentsOf>
type Narrowed = Pick<PaymentState, 'gateway' | 'status' | 'flags'>

const wholePaymentsOf = (db: Db, companyId: number) => paymentsOf(db, companyId).selectAll().$narrowType<Narrowed>()

type GivenFilters = Optional<{ order_id: number; status: string; flagged: boolean; since_id: number }>

const FILTERS: Filters<Payments, GivenFilters> = {
  order_id: (payments, id) => payments.where('payments.order_id', '=', id),
  status: (payments, status) => payments.where('payments.status', '=', status),
  flagged: (payments) =>
    payments.where(sql<Row<'payments'>['flags']>`payments.flags`, '<>', sql<Row<'payments'>['flags']>`'{}'`),
  since_id: (payments, id) => payments.where('payments.id', '>', id),
}

/** `flagged` false asks for all payments, as if it were not sent. */
function readFilters({ order_id, status, flagged, since_id }: PaymentFilters & { since_id?: number }): GivenFilters {
  return { order_id, status, flagged: flagged || undefined, since_id }
}

const listed = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) =>
  narrow(paymentsOf(db, company), FILTERS, filters).selectAll().$narrowType<Narrowed>(),
)

export function listPayments(db: Db, companyId: number, filters: PaymentFilters): RowList<PaymentState> {
  // The paging handles `since_id`.
  return listed(db, { ...readFilters(filters), since_id: undefined, company: companyId })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number) =>
  narrow(paymentsOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

export async function countPayments(
  db: Db,
  companyId: number,
  filters: PaymentFilters & { since_id?: number },
): Promise<number> {
  const [row] = await counted(db, readFilters(filters), companyId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  wholePaymentsOf(db, companyId).where('payments.id', '=', id).compile(),
)

export async function findPayment(db: Db, companyId: number, id: number): Promise<PaymentState | undefined> {
  const [payment] = await byId(db, companyId, id)
  return payment
}

/** A payment; another company's is not found. */
export async function getPayment(db: Db, companyId: number, ref: string): Promise<PaymentState> {
  const payment = /^\d{1,15}$/.test(ref) ? await findPayment(db, companyId, Number(ref)) : undefined
  if (payment === undefined) throw paymentNotFound(ref)
  return payment
}

/** The payment to which a customer comes back. */
export async function getPaymentByToken(db: Db, companyId: number, token: string): Promise<PaymentState> {
  const payment = await wholePaymentsOf(db, companyId).where('payments.token', '=', token).executeTakeFirst()
  if (payment === undefined) throw paymentNotFound('of this link')
  return payment
}

/** The payment that a gateway knows by the name of its money. */
export function findPaymentByReference(
  db: Db,
  companyId: number,
  reference: string,
): Promise<PaymentState | undefined> {
  return wholePaymentsOf(db, companyId).where('payments.reference', '=', reference).executeTakeFirst()
}

/** The payments of an order, oldest first. Lock the order first, so that they stay as they are. */
export function readPaymentsOfOrder(db: Db, companyId: number, orderId: number): Promise<PaymentState[]> {
  return ofOrder(db, companyId, orderId)
}

const ofOrder = prepare((db: Db, companyId: number, orderId: number) =>
  wholePaymentsOf(db, companyId).where('payments.order_id', '=', orderId).orderBy('payments.id').compile(),
)

/** Payments of all companies that a gateway may have finished without telling, after one of them. */
export function readUnfinished(
  db: Db,
  before: Date,
  after: { company_id: number; id: number },
  limit: number,
  only?: number,
): Promise<{ company_id: number; id: number }[]> {
  return (
    db
      .selectFrom('payments')
      .select(['company_id', 'id'])
      // In the text of the statement, because the index of these payments has it in its condition.
      .where(condition`status in ('created', 'pending') and gateway <> 'Manual'`)
      // Whoever made a charge asks about it with the same key.
      .where(condition`not (off_session and status = 'created')`)
      .where('updated_at', '<', before)
      .$if(only !== undefined, (rows) => rows.where('company_id', '=', only ?? 0))
      .where(condition`(company_id, id) > (${after.company_id}, ${after.id})`)
      .orderBy('company_id')
      .orderBy('id')
      .limit(limit)
      .execute()
  )
}

/** Orders of all companies, or of one only, whose bills are reserved no longer, after one of them. */
export function readEndedReservations(
  db: Db,
  now: Date,
  after: { company_id: number; id: number },
  limit: number,
  only?: number,
): Promise<{ company_id: number; id: number; order_id: number }[]> {
  return db
    .selectFrom('payments')
    .select(['company_id', 'id', 'order_id'])
    .where('reserved_until', 'is not', null)
    .where('reserved_until', '<=', now)
    .where('status', '=', sql.lit('pending'))
    .$if(only !== undefined, (rows) => rows.where('company_id', '=', only ?? 0))
    .where(condition`(company_id, id) > (${after.company_id}, ${after.id})`)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * When the next reservation or attempt to pay of a company ends, after one time and no later than another. Whether a bill is
 * overdue is looked at once a day.
 */
export async function findNextEnd(db: Db, companyId: number, after: Date, until: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Row<'payments'>['reserved_until'] }>`select min(at) as at from (
      select case when gateway = 'Manual' then reserved_until
        else created_at + make_interval(mins => ${UNFINISHED_MINUTES}, secs => 1) end as at from payments
      where company_id = ${companyId} and status in ('created', 'pending') and not off_session
      union all
      select ${after}::timestamptz + interval '1 day' from payments
      where company_id = ${companyId} and status = 'pending' and gateway = 'Manual') as payment
    where at > ${after} and at <= ${until}`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Every read of the gateways starts here, so none can forget the company. */
function gatewaysOf(db: Db, companyId: number) {
  return db.selectFrom('payment_gateways').where('payment_gateways.company_id', '=', companyId)
}

/** Keeps the settings of the company from being changed until the transaction ends. */
export async function lockSettings(tx: Tx, companyId: number): Promise<void> {
  await gatewaysOf(tx, companyId).select('name').orderBy('name').forUpdate().execute()
}

const selectGateways = prepare((db: Db, companyId: number) =>
  gatewaysOf(db, companyId).selectAll().$narrowType<Pick<GatewaySettings, 'name'>>().orderBy('name').compile(),
)

/** The settings of all gateways that the company has ever set. */
export function readGateways(db: Db, companyId: number): Promise<GatewaySettings[]> {
  return selectGateways(db, companyId)
}

/** The id of the next payment comes with the gateways, because a statement of its own would add to the cost of a purchase. */
const selectGatewaysAndId = prepare((tx: Tx, companyId: number) =>
  gatewaysOf(tx, companyId)
    .selectAll()
    .select(sql<Row<'payments'>['id']>`(select nextval('payments_id_seq'))`.as('paymentId'))
    .$narrowType<Pick<GatewaySettings, 'name'>>()
    .orderBy('name')
    .compile(),
)

/** A gateway that the shops of a company offer, and the id of a payment through it; undefined if it is not offered. */
export async function takeOffered(
  tx: Tx,
  companyId: number,
  name: GatewayName,
): Promise<{ settings: GatewaySettings; paymentId: number } | undefined> {
  const rows = await selectGatewaysAndId(tx, companyId)
  const settings = offeredOf(rows).find((offer) => offer.name === name)
  const paymentId = rows[0]?.paymentId
  return settings === undefined || paymentId === undefined ? undefined : { settings, paymentId }
}

export function findGateway(db: Db, companyId: number, name: GatewayName): Promise<GatewaySettings | undefined> {
  return gatewaysOf(db, companyId)
    .selectAll()
    .$narrowType<Pick<GatewaySettings, 'name'>>()
    .where('payment_gateways.name', '=', name)
    .executeTakeFirst()
}

/** How customers pay their bills. */
export async function findInstructions(db: Db, companyId: number): Promise<string> {
  return (await findGateway(db, companyId, 'Manual'))?.instructions ?? ''
}

/**
 * For how many days a company waits for the payment of a bill, and not for fewer than its invoices give the customer; 0: for
 * ever.
 */
export async function readDueDays(db: Db, companyId: number, now: Date): Promise<number> {
  const [manual, { payment_days }] = await Promise.all([
    findGateway(db, companyId, 'Manual'),
    readInvoiceSettings(db, companyId, now),
  ])
  const days = manual?.payment_due_days ?? PAYMENT_DUE_DAYS
  return days === 0 ? 0 : Math.max(days, payment_days)
}

/** When an order by bill is cancelled that nobody has paid; undefined if never, or if it is no bill. */
export async function readBillEnd(db: Db, order: OrderState, now: Date): Promise<Date | undefined> {
  if (!isUnpaidBill(order)) return undefined
  const [days, payments] = await Promise.all([
    readDueDays(db, order.company_id, now),
    readPaymentsOfOrder(db, order.company_id, order.id),
  ])
  return billEnd(order, payments, days) ?? undefined
}

/** A way to pay as a shop offers it to its customers. */
export type Offer = { name: GatewayName; instructions: string; is_test: boolean }

/** The ways to pay that the shops of a company offer. */
export async function listOffers(db: Db, companyId: number): Promise<Offer[]> {
  const offered = offeredOf(await readGateways(db, companyId))
  return offered.map(({ name, instructions, is_test }) => ({ name, instructions, is_test }))
}

/** Every read of the parts of refunds starts here, so none can forget the company. */
function partsOf(db: Db, companyId: number) {
  return db.selectFrom('payment_refunds').where('payment_refunds.company_id', '=', companyId)
}

/** The parts of all refunds that go back through some payments. */
export async function readParts(tx: Tx, companyId: number, paymentIds: readonly number[]): Promise<PartOfRefund[]> {
  if (paymentIds.length === 0) return []
  return partsOf(tx, companyId)
    .selectAll()
    .$narrowType<Pick<PartOfRefund, 'status'>>()
    .where('payment_refunds.payment_id', 'in', paymentIds)
    .orderBy('payment_refunds.payment_id')
    .execute()
}
