import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { upgrade } from '#boot/store.ts'
import { seedShop } from '#demo/seed.ts'
import { offerProducts, withdrawOffer } from '#marketplace/commands.ts'
import { followChanges, takeProducts } from '#marketplace/mirrors/commands.ts'
import { listEntries, readOverview } from '#marketplace/queries.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { startEmbedded } from '#platform/db/embedded.ts'
import { readPage } from '#platform/db/pages.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { noteAllChanges } from '#products/mirrors/commands.ts'
import { openCompany } from '#users/open-company.ts'

/** Measures what adding a large offer costs: `node bench/marketplace.ts [products]`. */

const products = Number(process.argv[2] ?? 10_000)
const now = () => nowInSeconds(systemClock)
const megabytes = () => Math.round(process.memoryUsage.rss() / 1_048_576)

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  global.gc?.()
  const before = megabytes()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytes())
  }, 10)
  const start = performance.now()
  const result = await work()
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  clearInterval(watch)
  console.log(`${name}: ${seconds} s, memory ${before} MB, at most ${Math.max(peak, megabytes())} MB`)
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
    inTransaction(db, (tx) => takeProducts(tx, buyer, String(entry.id), activate, now()))
  const { state, document } = await timed('add', () => take(false))
  console.log(`  ${state.added} of ${products} products, an answer of ${Math.round(document.length / 1024)} KiB`)
  await timed('add again', () => take(false))
  await timed('activate', () => take(true))
  const first = { after: 0, limit: 50, offset: 0 }
  await timed('the list of entries', () => readPage(listEntries(db), (rows) => rows.map(String), first))
  await sql`update products set title = title || '!' where company_id = ${owner.companyId}`.execute(db)
  await inTransaction(db, (tx) => noteAllChanges(tx, owner.companyId, now()))
  const follow = async () => {
    while ((await inTransaction(db, (tx) => followChanges(tx, owner.companyId, now()))) > 0);
  }
  await timed('follow a change of every product', follow)
  await inTransaction(db, (tx) => withdrawOffer(tx, owner, now()))
  await timed('follow a withdrawal', follow)
  console.log(await readOverview(db))
}

const folder = await mkdtemp(join(tmpdir(), 'licet-marketplace-'))
const server = await startEmbedded(folder)
const handle = openDatabase(server, { poolMax: 4 })
try {
  await upgrade(handle.db)
  await measure(handle.db)
} finally {
  await handle.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
