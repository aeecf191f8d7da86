import { sql } from 'kysely'
import { webhookMeasures } from '#apps/webhooks/measures.queries.ts'
import { eventMeasures } from '#history/events/measures.queries.ts'
import { databaseMeasures } from '#platform/db/connections/measures.ts'
import type { Db } from '#platform/db/database.ts'
import { readNumbers } from '#platform/db/numbers.ts'
import { jobMeasures } from '#platform/jobs/measures.ts'
import type { Reading as Value } from '#platform/log/measures.ts'
import { mailMeasures } from '#platform/mail/measures.ts'
import { ask } from '../terminal/ask.ts'
import { type Requests, readRequests } from './requests.ts'
import type { JobKind, Reading, Statement } from './screen.ts'

const PATIENCE_MS = 30_000
const SOURCES = [databaseMeasures, jobMeasures, eventMeasures, webhookMeasures, mailMeasures]

/** The requests that a service has counted; undefined: none answers. */
export async function askService(url: string, token: string | undefined): Promise<Requests | undefined> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  try {
    const { status, text } = await ask(`${url}/metrics`, PATIENCE_MS, headers)
    return status === 200 ? readRequests(text) : undefined
  } catch {
    return undefined
  }
}

/** What the database knows of what is going on. Texts of statements have no values, which are sent beside them. */
export async function readDatabase(db: Db, now: Date): Promise<Omit<Reading, 'at' | 'address' | 'rates'>> {
  const [statements, ...readings] = await Promise.all([
    readStatements(db),
    ...SOURCES.map((source) => source.read(db, now)),
  ])
  const values = readings.flat()
  const of = (name: string, state?: string) =>
    values.find((one) => one.name === name && (state === undefined || one.labels?.state === state))?.value ?? 0
  return {
    statements,
    connections: { used: of('licet_database_server_connections'), most: of('licet_database_server_connections_max') },
    jobs: kindsOf(values),
    sending: of('licet_webhooks_sending'),
    deliveries_waiting: of('licet_webhook_deliveries_waiting'),
    webhooks_failing: of('licet_webhooks', 'failing'),
    events_waiting: of('licet_events_waiting'),
    mails_waiting: of('licet_mails_waiting'),
  }
}

/** Those that run right now, the longest first. */
async function readStatements(db: Db): Promise<Statement[]> {
  const rows = await readNumbers(
    db,
    sql`select
      extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms, wait_event_type as waits_for, query as text
    from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
    order by query_start limit 50`,
  )
  return rows.map((row) => ({ ms: row.number('ms'), waits_for: row.word('waits_for') || null, text: row.word('text') }))
}

function kindsOf(values: readonly Value[]): JobKind[] {
  const kinds = new Set(values.flatMap(({ labels }) => labels?.kind ?? []))
  return [...kinds].sort().map((kind) => {
    const of = (name: string) => values.find((one) => one.name === name && one.labels?.kind === kind)?.value ?? 0
    return {
      kind,
      doing: of('licet_jobs_leased'),
      due: of('licet_jobs_due'),
      oldest_seconds: of('licet_jobs_oldest_due_seconds'),
      given_up: of('licet_jobs_given_up'),
    }
  })
}
