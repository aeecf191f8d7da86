import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { CardClub } from '#test/crash/club.ts'

/** The rows of a member of a club, with what differs between members. `nth` counts them, and `first` is the last id there is. */
const TABLES = {
  customers: {
    id: sql`customer_base + nth`,
    token: sql`translate(lpad((customer_base + nth)::text, 16, '0'), '0123456789', 'QRSTUVWXYZ')`,
    email: sql`'clone-' || nth || '@member.example'`,
  },
  customer_relations: { customer_id: sql`customer_base + nth` },
  payments: { id: sql`payment_base + nth`, token: sql`'clone' || nth`, reference: sql`'test_succeeds_0_clone' || nth` },
  subscriptions: {
    id: sql`subscription_base + nth`,
    customer_id: sql`customer_base + nth`,
    customer_token: sql`translate(lpad((customer_base + nth)::text, 16, '0'), '0123456789', 'QRSTUVWXYZ')`,
    means_payment_id: sql`payment_base + nth`,
  },
  subscription_periods: {
    id: sql`period_base + nth`,
    subscription_id: sql`subscription_base + nth`,
    order_id: sql`-nth`,
  },
  subscribers: {
    id: sql`subscriber_base + nth`,
    customer_token: sql`translate(lpad((customer_base + nth)::text, 16, '0'), '0123456789', 'QRSTUVWXYZ')`,
    email: sql`'clone-' || nth || '@member.example'`,
  },
} satisfies Record<string, Record<string, RawBuilder<unknown>>>

const COUNTED = {
  customers: 'customer',
  payments: 'payment',
  subscriptions: 'subscription',
  subscription_periods: 'period',
  subscribers: 'subscriber',
}

/** Copies the one member of a club, with everything that a renewal reads, because a hundred thousand sign-ups take too long. */
export async function cloneMembers(db: Db, { companyId }: CardClub, count: number): Promise<void> {
  const bases = sql.join(
    Object.entries(COUNTED).map(
      ([table, name]) => sql`(select max(id) from ${sql.table(table)}) as ${sql.ref(`${name}_base`)}`,
    ),
  )
  const statements = Object.entries(TABLES).map(([table, changes]) => {
    const changed = sql.join(Object.entries(changes).flatMap(([name, value]) => [sql.lit(name), value]))
    const whose =
      table === 'customers'
        ? sql`id = (select customer_id from subscriptions where company_id = ${sql.lit(companyId)} limit 1)`
        : sql`company_id = ${sql.lit(companyId)}`
    return sql`insert into ${sql.table(table)} overriding system value
      select copy.*
      from (select * from ${sql.table(table)} where ${whose} order by 1, 2 limit 1) as model, bases,
        generate_series(1, ${sql.lit(count)}) as nth,
        -- As a table: a function whose columns are taken apart is called once for each of them.
        jsonb_populate_record(null::${sql.table(table)}, to_jsonb(model) || jsonb_build_object(${changed})) as copy`
  })
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`create temporary table bases as select ${bases}`.execute(connection)
    for (const statement of statements) await statement.execute(connection)
    for (const table of Object.keys(COUNTED))
      await sql`select setval(${`${table}_id_seq`}, (select max(id) from ${sql.table(table)}))`.execute(connection)
    await sql`drop table bases`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
