import { sql } from 'kysely'
import { companyNotFound } from '#companies/errors.ts'
import { dayAt } from '#orders/statistics/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'

/** A company whose numbers are read. */
export type Reported = {
  id: number
  currency: string
  /** The current day in its time zone, as `2026-05-01`. */
  today: string
  /** The offset of its time zone to UTC in minutes. */
  utc_offset: number
}

type Row = Omit<Reported, 'today'>

const reported = prepare((db: Db, readerId: number, id: number) =>
  sql<Row>`select id, lower(currency) as currency,
      coalesce((select time_zone from users where users.company_id = companies.id order by users.id limit 1), 0)
        as utc_offset
    from companies where id = ${id} and (id = ${readerId} or partner_id = ${readerId})`.compile(db),
)

/** The own company, or one that names the reader as its partner. Any other is answered like one that does not exist. */
export async function getReported(db: Db, readerId: number, ref: string, now: Date): Promise<Reported> {
  const [company] = /^\d{1,15}$/.test(ref) ? await reported(db, readerId, Number(ref)) : []
  if (company === undefined) throw companyNotFound(ref)
  return { ...company, today: dayAt(now, company.utc_offset) }
}
