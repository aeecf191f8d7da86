import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { setDeletionDay } from '#identity/companies/commands.ts'
import { createClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { fill, type Things } from '#test/audit/things.ts'
import { readCustomer, shareCustomer } from '#test/customers.ts'
import { readProduct, type Wire } from '#test/factories.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { tryToSignIn } from '#test/people.ts'
import { mirrorAll, readLedger, sell } from '#test/sales.ts'
import { aVideo, upload } from '#test/uploads.ts'
import { visit } from '#test/visitor.ts'
import { deleteDueCompanies } from './purge.worker.ts'
import { ACCESS, BOOKS, BUSINESS, BY_RULE, CATALOG, PEOPLE, TRACES } from './tables.facts.ts'

const service = useService()
const log = createLog('silent')
const DAY_SECONDS = 86_400

/** Every table of companies, as the database has them. */
async function allTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id' order by 1`.execute(service.db)
  assert.ok(rows.length > 100, `saw ${rows.length} tables`)
  return rows.map(({ name }) => name)
}

/** Every row of a company, by table. */
async function rowsOf(companyId: number): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const table of await allTables()) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} as t
      where company_id = ${companyId} order by 1`.execute(service.db)
    if (rows.length > 0)
      found.set(
        table,
        rows.map(({ row }) => row),
      )
  }
  return found
}

function changedTables(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  const tables = new Set([...before.keys(), ...after.keys()])
  return [...tables].filter((table) => JSON.stringify(before.get(table)) !== JSON.stringify(after.get(table)))
}

/** What an owner asks for; how is in the other test. */
async function request({ companyId }: Shop): Promise<void> {
  const now = service.clock.now()
  const due_at = new Date(now.getTime() + 30 * DAY_SECONDS * 1000)
  const kept_until = new Date(Date.UTC(due_at.getUTCFullYear() + 11, 0, 1))
  await inTransaction(service.db, async (tx) => {
    const deletion = { company_id: companyId, requested_by: 'owner@example.com', requested_at: now, due_at, kept_until }
    await tx.insertInto('company_deletions').values(deletion).execute()
    await setDeletionDay(tx, companyId, due_at)
  })
}

const run = () => deleteDueCompanies({ ...service, log })

test('every table of companies is deleted, kept as a book, or by a rule', async () => {
  const named = [...ACCESS, ...PEOPLE, ...BUSINESS, ...CATALOG, ...TRACES, ...BOOKS, ...Object.keys(BY_RULE)]
  assert.deepEqual([...named].sort(), await allTables())
})

describe('a company whose day has come', () => {
  let gone: Shop
  let things: Things
  let beside: Shop
  let partner: Shop
  let shared: Wire
  let books: Map<string, string[]>
  let besideRows: Map<string, string[]>
  let partnerRows: Map<string, string[]>
  let mirror: Wire
  let bought: Wire
  let film: Wire
  let file: { id: number }

  before(async () => {
    partner = await service.openShop()
    gone = await service.openShop()
    beside = await service.openShop()
    things = await fill(service, gone)
    await fill(service, beside)
    await fill(service, partner)
    // A customer of both, and a film that the other one sells for it.
    shared = await shareCustomer(partner, things.customer)
    film = await aFilm(service, gone)
    file = await upload(service, gone, film, aVideo(), { name: 'film.mp4' })
    await service.runJobs()
    const mirrors = await mirrorAll(service, gone, partner)
    mirror = mirrors.find(({ title }) => title === film.title)
    bought = await sell(partner, [{ product: mirror }], { customer: shared })
    await service.runJobs()
    await service.files.put(`pictures/${gone.companyId}/1/a.jpg`, Buffer.from('a'))
    await service.files.put(`pictures/${beside.companyId}/1/a.jpg`, Buffer.from('a'))
    await request(gone)
    await run()
    books = await rowsOf(gone.companyId)
    service.clock.advance(30 * DAY_SECONDS + 1)
    // Deliveries that failed are tried again, whatever happens to other companies.
    await service.runJobs()
    besideRows = await rowsOf(beside.companyId)
    partnerRows = await rowsOf(partner.companyId)
  })

  test('is untouched before the day, and works', async () => {
    assert.ok((books.get('products')?.length ?? 0) > 1 && (books.get('users')?.length ?? 0) > 0)
    assert.ok(books.size > 50, `only ${books.size} tables have rows: ${[...books.keys()].join()}`)
  })

  test('is deleted in spite of a process that ends at any point, and of two at once', async () => {
    for (let calls = 3; calls < 40; calls += 4) {
      let left = calls
      const dying = createClock({
        now: () => {
          left -= 1
          if (left < 0) throw new Error('killed')
          return service.clock.now()
        },
      })
      await deleteDueCompanies({ ...service, log, clock: dying }).catch(() => undefined)
    }
    await Promise.all([run(), run()])
    await run()
    await service.runJobs()
    const { deleted_at } = await service.db
      .selectFrom('company_deletions')
      .selectAll()
      .where('company_id', '=', gone.companyId)
      .executeTakeFirstOrThrow()
    assert.notEqual(deleted_at, null)
  })

  test('has nothing left but its books and what others need', async () => {
    const left = await rowsOf(gone.companyId)
    const others = ['audit_entries', 'company_deletions', 'content_blobs', 'content_files']
    for (const table of left.keys())
      assert.ok([...BOOKS, ...others].includes(table as never), `${table}: ${left.get(table)}`)
    const booksLeft = new Map([...left].filter(([table]) => BOOKS.includes(table as never)))
    const booksBefore = new Map([...books].filter(([table]) => BOOKS.includes(table as never)))
    assert.deepEqual(changedTables(booksBefore, booksLeft), [])
    assert.ok((left.get('invoices')?.length ?? 0) > 0)
    assert.ok(left.get('audit_entries')?.some((row) => row.includes('company deleted')))
    const files = left.get('content_files') ?? []
    assert.equal(files.length, 2, files.join('\n'))
    assert.ok(files.every((row) => row.split(',')[2] === String(film.id)))
    assert.equal(await service.files.exists(`pictures/${gone.companyId}/1/a.jpg`), false)
  })

  test('leaves the company beside it as it was, row by row', async () => {
    assert.deepEqual(changedTables(besideRows, await rowsOf(beside.companyId)), [])
    assert.equal(await service.files.exists(`pictures/${beside.companyId}/1/a.jpg`), true)
  })

  test('leaves the company that sold for it with its customers, their purchases and its ledger', async () => {
    const changed = changedTables(partnerRows, await rowsOf(partner.companyId))
    // What it sold for the other one ends, and apps are told.
    const followed = ['events', 'products', 'product_mirrors', 'product_words']
    assert.ok(changed.includes('products'))
    for (const table of changed) assert.ok(followed.includes(table), table)
    // The tokens of before have expired.
    partner = await partner.asUser(partner.userId)
    assert.equal((await readProduct(partner, mirror.id)).valid, false)
    assert.equal((await readCustomer(partner, shared.token)).email, things.customer.email)
    const { content } = (await partner.get(`/api/customers/${shared.token}/content.json`)).body
    const owned = content.find(({ order_id }: Wire) => order_id === bought.id)
    const asked = await partner.post(`/api/entitlements/${owned.id}/download.json`, { download: { file_id: file.id } })
    assert.equal(asked.status, 200, asked.text)
    const bytes = await fetch(new URL(asked.body.download.url, service.url))
    assert.equal((await bytes.arrayBuffer()).byteLength, 100_000)
    assert.ok((await readLedger(partner)).some(({ order_id }) => order_id === bought.id))
  })

  test('lets nobody in, and has told its users', async () => {
    assert.equal((await gone.get('/api/products.json')).status, 401)
    const typed = { email: things.user.email, password: PASSWORD }
    assert.notEqual((await tryToSignIn(visit(service.url), typed)).status, 303)
    const mails = await service.db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', things.user.email)
      .where('company_id', 'is', null)
      .execute()
    assert.match(mails.map(({ subject }) => subject).join(), / is deleted$/)
  })

  test('loses its books, too, when the years are over, and keeps its name for the ledgers of others', async () => {
    service.clock.advance(12 * 366 * DAY_SECONDS)
    await run()
    const left = await rowsOf(gone.companyId)
    for (const table of BOOKS) assert.equal(left.get(table), undefined, table)
    const company = await service.db
      .selectFrom('companies')
      .select(['company_name', 'email', 'street', 'company_disabled'])
      .where('id', '=', gone.companyId)
      .executeTakeFirstOrThrow()
    assert.deepEqual([company.email, company.street, company.company_disabled], ['', '', true])
    assert.match(company.company_name, /^Shop /)
    assert.ok((await readLedger(await partner.asUser(partner.userId))).some(({ order_id }) => order_id === bought.id))
  })
})
