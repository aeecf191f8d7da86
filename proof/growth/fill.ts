import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Db, WITHOUT_LIMIT } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COUNTED, type Copied, type Counted, copiedTables, type Plan, readBases } from './copies.ts'
import { afterTenths, type PerCompany, type Size, TENTHS } from './sizes.ts'

/** Rows of one statement. */
const BATCH = 100_000
/** The part of the free space that the data may take: indexes grow further while they are written to. */
const DISK_SHARE = 0.6

export type Filling = {
  readonly plan: Plan
  /** What each company has now, beside what the service has written. */
  readonly now: PerCompany
  /** Adds up to so many tenths of the whole; false if the disk has ended it before. */
  fillTo(tenths: number): Promise<boolean>
}

type Options = {
  companyId: number
  models: Plan['models']
  size: Size
  /** Where the data of the database is. */
  folder: string
  onProgress: (text: string) => void
}

/** Prepares a platform of copies of one company, which stay away from its own rows. */
export async function startFilling(db: Db, { companyId, models, size, folder, onProgress }: Options): Promise<Filling> {
  const whole = afterTenths(size, TENTHS)
  const plan: Plan = { companyId, companies: size.companies, models, bases: await readBases(db), whole }
  const columns = await readColumns(db)
  const tables = copiedTables(plan)
  await copyCompanies(db, plan, columns)
  const atLeastFree = (await freeBytes(folder)) * (1 - DISK_SHARE)
  const done: PerCompany = { products: 0, customers: 0, orders: 0, entitlements: 0 }
  let tenths = 0
  return {
    plan,
    now: done,
    async fillTo(wanted) {
      for (; tenths < wanted; tenths += 1) {
        if ((await freeBytes(folder)) < atLeastFree) break
        const target = afterTenths(size, tenths + 1)
        for (const what of COUNTED) {
          for (const copied of tables.filter(({ of }) => of === what))
            await copyRows(db, plan, copied, columns, { from: done[what], to: target[what] })
          done[what] = target[what]
        }
        onProgress(`${tenths + 1} of ${TENTHS} tenths: ${describe(done, plan)}`)
      }
      await finish(db, plan, done)
      return tenths >= wanted
    },
  }
}

function describe(done: PerCompany, { companies }: Plan): string {
  return COUNTED.map((what) => `${new Intl.NumberFormat('en').format(done[what] * companies)} ${what}`).join(', ')
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

type Columns = ReadonlyMap<string, string[]>

/** The columns of each table that can be written. */
async function readColumns(db: Db): Promise<Columns> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_attribute join pg_class as relation on relation.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and attgenerated = '' group by relname`.execute(db)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Without the checks of references and the triggers, which would look up a million times that the company is there. */
async function write(db: Db, text: string): Promise<void> {
  await inTransaction(db, (tx) =>
    sql.raw(`${WITHOUT_LIMIT} set local session_replication_role = replica; ${text}`).execute(tx),
  )
}

function selected(columns: readonly string[], changes: Readonly<Record<string, string>>): string {
  return columns.map((column) => changes[column] ?? `model.${column}`).join(', ')
}

/** The row that is copied is the last one that the service has written. */
function copy(
  columns: Columns,
  { table, changes }: Pick<Copied, 'table' | 'changes'>,
  where: string,
  rows: string,
): string {
  const names = columns.get(table) ?? []
  const unknown = Object.keys(changes).filter((column) => !names.includes(column))
  if (names.length === 0 || unknown.length > 0) throw new Error(`${table} has no ${unknown.join(', ')}`)
  return `insert into ${table} (${names.join(', ')}) overriding system value
    select ${selected(names, changes)}
    from (select * from ${table} where ${where} order by 1 desc, 2 desc limit 1) as model cross join ${rows}`
}

async function copyRows(
  db: Db,
  plan: Plan,
  copied: Copied,
  columns: Columns,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const { companyId, companies, models } = plan
  const names = columns.get(copied.table) ?? []
  const isOfCompany = names.includes('company_id')
  const changes = isOfCompany ? { ...copied.changes, company_id: `${companyId} + c` } : copied.changes
  const isModel = `${copied.key} = ${models[copied.of]}${isOfCompany ? ` and company_id = ${companyId}` : ''}`
  for (let start = from * companies; start < to * companies; start += BATCH) {
    const end = Math.min(start + BATCH, to * companies) - 1
    const rows = `(select n / ${companies} as k, n % ${companies} as c from generate_series(${start}::bigint, ${end}) as n) as numbered`
    await write(db, copy(columns, { table: copied.table, changes }, isModel, rows))
  }
}

async function copyCompanies(db: Db, { companyId, companies }: Plan, columns: Columns): Promise<void> {
  const rows = `generate_series(1, ${companies - 1}) as c`
  const company = { id: 'model.id + c', company_name: `model.company_name || ' ' || c`, email: `c || model.email` }
  await write(db, copy(columns, { table: 'companies', changes: company }, `id = ${companyId}`, rows))
  const setting = { id: 'model.id + c', company_id: 'model.company_id + c' }
  await write(db, copy(columns, { table: 'theme_settings', changes: setting }, `company_id = ${companyId}`, rows))
}

const COUNTERS: readonly Counted[] = ['products', 'customers']
/** Beside the slots of the service, which have what it has counted itself. */
const SLOT = 1000

/** Counts what was added, as the service would have, and has the planner know about it. */
async function finish(db: Db, plan: Plan, done: PerCompany): Promise<void> {
  const { companyId, companies, bases } = plan
  const all = `generate_series(0, ${companies - 1}) as c`
  for (const what of COUNTERS)
    await write(
      db,
      `insert into counters (company_id, resource, slot, amount) select ${companyId} + c, '${what}', ${SLOT}, ${done[what]} from ${all}
      on conflict (company_id, resource, slot) do update set amount = excluded.amount`,
    )
  await write(
    db,
    `insert into order_counts (company_id, day, financial_status, fulfillment_status, amount, first_id, last_id)
    select company_id, (created_at at time zone 'UTC')::date, financial_status, coalesce(fulfillment_status, ''), count(*), min(id), max(id)
    from orders where id > ${bases.orders} group by 1, 2, 3, 4
    on conflict (company_id, day, financial_status, fulfillment_status) do update
    set amount = excluded.amount, first_id = excluded.first_id, last_id = excluded.last_id`,
  )
  for (const what of COUNTED)
    await sql`select setval(${`${what}_id_seq`}, ${bases[what] + (done[what] + 1) * companies})`.execute(db)
  await sql`select setval('companies_id_seq', ${companyId + companies}), setval('theme_settings_id_seq',
    (select max(id) from theme_settings)), setval('part_ids', ${bases.parts + (plan.whole.orders + plan.whole.products + 1) * companies})`.execute(
    db,
  )
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql.raw('-- without limit\nvacuum (analyze)').execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
