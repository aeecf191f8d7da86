import { sql } from 'kysely'
import { offerProducts, withdrawOffer } from '#catalog/marketplace/commands.ts'
import { followChanges, takeProducts } from '#catalog/marketplace/mirrors/commands.ts'
import { listEntries } from '#catalog/marketplace/queries.ts'
import { noteAllChanges } from '#catalog/products/mirrors/commands.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { readPage } from '#platform/db/pages.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { upgrade } from '#program/boot/store.ts'
import { seedShop } from '#program/demo/seed.ts'
import { openCompany } from '#program/first-run/open-company.ts'

/** Measures what adding a large offer costs, in a process of its own, because it watches the memory. */

const [, , folder = '', amount] = process.argv
const products = Number(amount)
const now = () => nowInSeconds(machineClock)
const megabytes = () => Math.round(process.memoryUsage.rss() / 1_048_576)

export type Step = { name: string; ms: number; cpuMs: number; mbBefore: number; mbMax: number }

const steps: Step[] = []

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  global.gc?.()
  const before = megabytes()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytes())
  }, 10)
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  clearInterval(watch)
  steps.push({ name, ms, cpuMs: (user + system) / 1000, mbBefore: before, mbMax: Math.max(peak, megabytes()) })
  return result
}

async function aCompany(db: Db, name: string): Promise<{ companyId: number }> {
  const details = { company_name: name, email: `${name}@example.com`, country_code: 'DE', currency: 'EUR' }
  return inTransaction(db, (tx) => openCompany(tx, details, { email: details.email, passwordHash: null }, now()))
}

async function measure(db: Db): Promise<void> {
  const [owner, buyer] = [await aCompany(db, 'owner'), await aCompany(db, 'buyer')]
  await seedShop(db, { companyId: owner.companyId, products, seed: 1, now: now() })
  await sql`update products set published = true`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const offer = { cost_to_licensees_percent: 30 }
  const entry = await inTransaction(db, (tx) => offerProducts(tx, owner, offer, now()))
  const take = (activate: boolean) =>
    inTransaction(db, (tx) => takeProducts(tx, buyer, String(entry.state.id), activate, now()))
  const { state } = await timed('add', () => take(false))
  if (state.added === 0) throw new Error('no product was added')
  await timed('add-again', () => take(false))
  await timed('activate', () => take(true))
  const first = { after: 0, limit: 50, offset: 0 }
  await timed('entries', () => readPage(listEntries(db, 0), (rows) => rows.map(String), first))
  await sql`update products set title = title || '!' where company_id = ${owner.companyId}`.execute(db)
  await inTransaction(db, (tx) => noteAllChanges(tx, owner.companyId, now()))
  const follow = async () => {
    while ((await inTransaction(db, (tx) => followChanges(tx, owner.companyId, now()))) > 0);
  }
  await timed('follow', follow)
  await inTransaction(db, (tx) => withdrawOffer(tx, owner, now()))
  await timed('follow-withdrawal', follow)
}

const server = await startEmbedded(folder)
const handle = openDatabase(server, { poolMax: 4 })
try {
  await upgrade(handle.db)
  await measure(handle.db)
  console.log(JSON.stringify(steps))
} finally {
  await handle.close()
  await server.stop()
}
