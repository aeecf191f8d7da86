import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, WITHOUT_LIMIT } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Finding, figure, holds } from '../findings.ts'

const GIGABYTE = 1e9
const LARGEST = 8

/** The largest tables: how much of them are rows, and how much are indexes. */
export async function sizesOf(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; table: number; indexes: number; rows: number }>`
    select relname as name, pg_table_size(oid)::float8 as table, pg_indexes_size(oid)::float8 as indexes,
      greatest(reltuples, 1)::float8 as rows
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    order by pg_total_relation_size(oid) desc limit ${LARGEST}`.execute(db)
  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  const two = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
  return rows.map(({ name, table, indexes, rows: count }) => ({
    what: `Table ${name}`,
    figure: `${two.format(table / GIGABYTE)} GB and ${two.format(indexes / GIGABYTE)} GB of indexes: ${whole.format((table + indexes) / count)} bytes a row`,
    isMet: true,
  }))
}

/** A wave changes this part of the rows of a table, but no more than so many. */
const CHANGED = 0.25
const CHANGED_MAX = 1_000_000
const BATCH = 50_000
const WAVE = ['products', 'orders', 'entitlements'] as const
const LOOK_EVERY_MS = 5000

type Dead = { name: string; dead: number; isDue: boolean }

/** The dead rows of the tables, and which of them autovacuum should vacuum now by its own settings. */
async function readDead(db: Db): Promise<Dead[]> {
  const { rows } = await sql<Dead>`
    with settings as (
      select relation.oid, relname, reltuples,
        coalesce((select option_value::float8 from pg_options_to_table(reloptions) where option_name = 'autovacuum_vacuum_threshold'),
          current_setting('autovacuum_vacuum_threshold')::float8) as threshold,
        coalesce((select option_value::float8 from pg_options_to_table(reloptions)
          where option_name = 'autovacuum_vacuum_scale_factor'), current_setting('autovacuum_vacuum_scale_factor')::float8) as factor
      from pg_class as relation where relnamespace = current_schema()::regnamespace and relkind = 'r'
    )
    select settings.relname as name, n_dead_tup::float8 as dead,
      n_dead_tup > least(threshold + factor * greatest(reltuples, 0),
        current_setting('autovacuum_vacuum_max_threshold')::float8) as "isDue"
    from settings join pg_stat_user_tables as statistics on statistics.relid = settings.oid
    order by n_dead_tup desc`.execute(db)
  return rows
}

/** Changes many rows at once, and waits until autovacuum has nothing left to do. */
export async function proveVacuum(db: Db, minutesMax: number): Promise<Finding[]> {
  for (const table of WAVE) await changeMany(db, table)
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const before = await readDead(db)
  const started = performance.now()
  let after = before
  const isWaiting = () => after.some(({ isDue }) => isDue) && performance.now() - started < minutesMax * 60_000
  while (isWaiting()) {
    await sleep(LOOK_EVERY_MS)
    after = await readDead(db)
  }
  const dead = before.filter(({ name }) => (WAVE as readonly string[]).includes(name))
  return [
    figure(
      'Dead rows after a wave of changes',
      dead.reduce((sum, each) => sum + each.dead, 0),
      '',
    ),
    figure('Tables that autovacuum had to vacuum then', before.filter(({ isDue }) => isDue).length, ''),
    figure('Until it had vacuumed them', (performance.now() - started) / 1000, 's'),
    holds(
      'Autovacuum keeps up',
      after.every(({ isDue }) => !isDue),
    ),
  ]
}

async function changeMany(db: Db, table: (typeof WAVE)[number]): Promise<void> {
  const { rows } = await sql<{ rows: number }>`select greatest(reltuples, 0)::float8 as rows from pg_class
    where oid = ${table}::regclass`.execute(db)
  const wanted = Math.min(CHANGED_MAX, Math.floor((rows[0]?.rows ?? 0) * CHANGED))
  for (let changed = 0; changed < wanted; changed += BATCH)
    await inTransaction(db, (tx) =>
      sql
        .raw(
          `${WITHOUT_LIMIT} update ${table} set updated_at = updated_at + interval '1 second' where ctid = any(array(
            select ctid from ${table} offset ${changed} limit ${Math.min(BATCH, wanted - changed)}))`,
        )
        .execute(tx),
    )
}
