import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { readConfig } from '#platform/settings/config.ts'
import { closeStore, type MigratedStore, openMigratedStore } from '#program/boot/store.ts'
import { updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import { createMollieServer, type FakeMollie, MOLLIE_KEY } from '../mollie.ts'
import { PATIENCE_MS } from '../patience.ts'
import { type CardClub, CENTS, openCardClub } from './club.ts'
import { startFastWorker } from './processes.ts'

export type RenewalProof = {
  databaseUrl: string
  dataFolder: string
  kills: number
  random: () => number
  onProgress?: (text: string) => void
}

export type RenewalReport = { kills: number; renewed: number; charges: number; seconds: number }

/** A minute of a lease takes two seconds. */
const CLOCK_TIMES = 30
/** Charges between two kills, at most, and those that are made in the same moment: a worker asks about several at a time. */
const CHARGES_MAX = 4
const AT_ONCE_MAX = 6
/** A renewal has several transactions after its charge; each is hit by some of the kills. */
const AFTER_CHARGE_MS = 60
const MONTH_AND_A_DAY_MS = 32 * 86_400_000

/**
 * Kills the worker again and again while it renews subscriptions that are all due, and then compares what is stored with the ledger of
 * the gateway: every period was charged once, with one order, one invoice and one event. It throws if they differ.
 */
export async function proveRenewals(options: RenewalProof): Promise<RenewalReport> {
  const { databaseUrl, dataFolder, kills, random, onProgress = () => {} } = options
  const started = performance.now()
  const settings = {
    DATABASE_URL: databaseUrl,
    LICET_DATA: dataFolder,
    LICET_DEMO: 'false',
    LICET_ALLOW_LOOPBACK: 'true',
    LICET_LOG_LEVEL: 'silent',
    LICET_CURRENCY_RATES_URL: '',
  }
  const store = await openMigratedStore(readConfig(settings))
  const { mollie, start, stop } = createMollieServer(() => new Date())
  await start()
  const members = (kills + 1) * (CHARGES_MAX + AT_ONCE_MAX)
  const signedUp = new Date(nowInSeconds(machineClock).getTime() - MONTH_AND_A_DAY_MS)
  const club = await openCardClub(store, { name: 'club', members }, signedUp)
  await moveToMollie(store, club, mollie)
  const worker = startFastWorker({ ...settings, MOLLIE_URL: mollie.url }, Date.now(), CLOCK_TIMES)
  try {
    for (let count = 0; count < kills; count += 1) {
      const target = mollie.done.length + 1 + Math.floor(random() * CHARGES_MAX)
      await until(async () => mollie.done.length >= target, `${target} charges`)
      await sleep(random() * AFTER_CHARGE_MS)
      await worker.killAndRestart()
      onProgress(`${count + 1} kills, ${mollie.done.length} charges`)
    }
    await until(() => isDone(store.db, club), 'the last renewal')
  } finally {
    await worker.end()
    stop()
  }
  try {
    await verify(store.db, club, mollie)
    return { kills, renewed: members, charges: mollie.done.length, seconds: (performance.now() - started) / 1000 }
  } finally {
    await closeStore(store)
  }
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 2 * PATIENCE_MS
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
    await sleep(2)
  }
}

/** The members have left a mandate at Mollie, and what they pay is no test. */
async function moveToMollie({ db, vault }: MigratedStore, { companyId }: CardClub, mollie: FakeMollie): Promise<void> {
  const owner = { companyId, userId: null, appId: null, origin: { address: '127.0.0.1', requestId: 'proof' } }
  const input = { test: { enabled: false }, mollie: { enabled: true, secret_key: MOLLIE_KEY } }
  const now = nowInSeconds(machineClock)
  await inTransaction(db, (tx) => updatePaymentSettings(tx, vault, owner, input, now))
  await sql`update subscriptions set gateway = 'Mollie', test = false where company_id = ${companyId}`.execute(db)
  await sql`update payments set gateway = 'Mollie', reference = 'tr_' || id, test = false where company_id = ${companyId}`.execute(
    db,
  )
  const payments = await db.selectFrom('payments').select('id').where('company_id', '=', companyId).execute()
  for (const { id } of payments) {
    const [customerId, mandateId] = [`cst_${id}`, `mdt_${id}`]
    const known = { resource: 'mandate', customerId, status: 'valid', method: 'creditcard', details: {} } as const
    mollie.customers.set(customerId, { resource: 'customer', id: customerId, mode: 'live', email: 'a@member.example' })
    mollie.mandates.set(mandateId, { ...known, id: mandateId })
    mollie.payments.set(`tr_${id}`, {
      resource: 'payment',
      id: `tr_${id}`,
      mode: 'live',
      status: 'paid',
      isCancelable: false,
      amount: { currency: 'EUR', value: '7.90' },
      description: '',
      method: 'creditcard',
      metadata: null,
      details: null,
      redirectUrl: '',
      sequenceType: 'first',
      customerId,
      mandateId,
      _links: {},
    })
  }
}

async function isDone(db: Db, { companyId }: CardClub): Promise<boolean> {
  const { rows } = await sql<{ left: number }>`select
    (select count(*) from subscriptions where company_id = ${companyId} and period_number < 2) +
    (select count(*) from jobs where company_id = ${companyId} and failed_at is null) as left`.execute(db)
  return rows[0]?.left === 0
}

type Found = {
  subscription: number
  orders: number
  payments: number
  invoices: number
  events: number
  order_id: number
}

/** Compares what is stored with the ledger of the gateway. */
async function verify(db: Db, { companyId, subscriptions }: CardClub, mollie: FakeMollie): Promise<void> {
  const { rows } = await sql<Found>`select period.subscription_id as subscription, period.order_id,
      (select count(*) from orders where orders.company_id = period.company_id
        and orders.subscription_id = period.subscription_id and orders.created_at > subscription.created_at) as orders,
      (select count(*) from payments where payments.company_id = period.company_id
        and payments.order_id = period.order_id and status = 'paid' and paid_cents = ${CENTS} and flags = '{}') as payments,
      (select count(*) from invoices where invoices.company_id = period.company_id
        and invoices.order_id = period.order_id) as invoices,
      (select count(*) from events where events.company_id = period.company_id and topic = 'order/create'
        and data ->> 'id' = period.order_id::text) as events
    from subscription_periods as period
    join subscriptions as subscription
      on subscription.company_id = period.company_id and subscription.id = period.subscription_id
    where period.company_id = ${companyId} and period.number > 1 and period.status = 'paid'`.execute(db)
  const charges = [...mollie.payments.values()].filter(({ sequenceType }) => sequenceType === 'recurring')
  const ledger = Map.groupBy(charges, ({ metadata }) => Number((metadata as { licet_order: string }).licet_order))
  const wrong = rows.filter((row) => {
    const [charge, ...others] = ledger.get(row.order_id) ?? []
    const isCharged = charge?.status === 'paid' && charge.amount.value === '7.90' && others.length === 0
    return !isCharged || [row.orders, row.payments, row.invoices, row.events].some((count) => count !== 1)
  })
  const isWhole = new Set(rows.map(({ subscription }) => subscription)).size === subscriptions.length
  if (wrong.length > 0 || !isWhole || rows.length !== subscriptions.length || charges.length !== rows.length)
    throw new Error(
      `${rows.length} periods of ${subscriptions.length} subscriptions, ${charges.length} charges: ${JSON.stringify(wrong)}`,
    )
}
