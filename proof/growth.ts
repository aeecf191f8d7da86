import { sql } from 'kysely'
import { startCustomerSession } from '#people/customers/sessions/commands.ts'
import { machineClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { startDatabase } from './database.ts'
import { atLeast, atMost, type Finding, type Part, type Scale } from './findings.ts'
import { COUNTED, numberOf, type Plan } from './growth/copies.ts'
import { startFilling } from './growth/fill.ts'
import { measureReads } from './growth/reads.ts'
import { afterTenths, partOf, type Size, TENTHS, TINY, WHOLE } from './growth/sizes.ts'
import { proveVacuum, sizesOf } from './growth/state.ts'
import { onStage, type Stage } from './load/run.ts'

/** How much slower a read may become while everything becomes ten times as much. */
const FLAT = 1.5
const VACUUM_MINUTES = 15
/** How often each read is measured. */
const TIMES = 41
const TIMES_SHORT = 1
const WARM_UP = 5

/** Its short form is proof/growth.test.ts. */
export const growth: Part = {
  title: 'Growth',
  about: `A platform of 1,000 companies is filled with copies of what the service has written: products, customers, orders with their
lines, and entitlements. It is measured at a tenth and when it is full, or when 60 % of the free disk are used: lists, pages far behind,
counts, filters, searches, the pages of a shop and of a customer, and lists of the admin interface, one request at a time, after each
was read once without being measured. The figure of a read is its median when the platform is full, in medians at a tenth. Then a
quarter of the rows of the largest tables, a million at most, is changed at once, and autovacuum has ${VACUUM_MINUTES} minutes.`,
  async prove(scale) {
    const size = scale.isShort ? TINY : partOf(WHOLE, scale.percent ?? 100)
    const database = await startDatabase()
    return onStage(database, { films: 1, customers: 1, rare: 0 }, (stage) =>
      prove(stage, database.dataFolder, size, scale),
    )
  },
}

async function prove(stage: Stage, folder: string, size: Size, { isShort, onProgress }: Scale): Promise<Finding[]> {
  const { db } = stage.store
  const { companyId } = stage.shop
  const filling = await startFilling(db, { companyId, models: await readModels(stage), size, folder, onProgress })
  await filling.fillTo(1)
  const how = {
    times: isShort ? TIMES_SHORT : TIMES,
    warmUp: isShort ? 0 : WARM_UP,
    inFirst: afterTenths(size, 1),
    customerCookie: await signIn(stage, numberOf(filling.plan, 'customers', 0)),
  }
  // A service that has just started is slower, and so is one whose caches know nothing of what was added.
  const measure = async () => {
    if (!isShort) await measureReads(stage, filling, how)
    return measureReads(stage, filling, how)
  }
  const before = await measure()
  await filling.fillTo(TENTHS)
  const after = await measure()
  const sizes = await sizesOf(db)
  const amounts = COUNTED.map((what) =>
    atLeast(
      `Filled with ${what}`,
      filling.now[what] * size.companies,
      afterTenths(size, TENTHS)[what] * size.companies,
      '',
    ),
  )
  const ratios = after.map(({ what, ms }, index) => {
    const first = before[index]?.ms ?? Number.NaN
    const finding = atMost(`${what}: ${shown(first)} ms at a tenth, ${shown(ms)} ms at the end`, ms / first, FLAT, '')
    return isShort ? { ...finding, isMet: true } : finding
  })
  const vacuum = isShort ? [] : await proveVacuum(db, VACUUM_MINUTES)
  return [...amounts, ...ratios, ...sizes, ...vacuum]
}

const shown = (ms: number) => new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(ms)

async function readModels({ store: { db }, shop }: Stage): Promise<Plan['models']> {
  const { rows } = await sql<{
    customers: number
    orders: number
  }>`select customer_id::float8 as customers, order_id::float8 as orders
    from entitlements where company_id = ${shop.companyId} and id = ${shop.entitlements[0]}`.execute(db)
  const [row] = rows
  const [film, entitlement] = [shop.films[0]?.id, shop.entitlements[0]]
  if (row === undefined || film === undefined || entitlement === undefined) throw new Error('the shop has sold nothing')
  return { ...row, products: film, entitlements: entitlement }
}

/** The session of a customer of the shop, as the sign-in would open it. */
function signIn({ store: { db }, shop }: Stage, customerId: number): Promise<string> {
  const session = {
    companyId: shop.companyId,
    themeSettingId: Number(shop.base.split('/').at(-1)),
    customerId,
    userAgent: 'proof',
    address: '127.0.0.1',
  }
  return inTransaction(db, (tx) => startCustomerSession(tx, session, machineClock.now()))
}
