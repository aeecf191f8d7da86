import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire.ts'
import { readTopics } from './rules.ts'
import type { EventFilters } from './schema.ts'
import type { LoggedEvent, LogReader } from './state.ts'

/**
 * Every read of the log starts here, so none can forget the company. An event is shown once it has its position: those
 * who follow the positions then miss nothing.
 */
function eventsOf(db: Db, companyId: number, appId: number) {
  return db
    .selectFrom('events')
    .where('events.company_id', '=', companyId)
    .where('events.position', 'is not', null)
    .where(
      sql<boolean>`(events.topic <> all ('{app/update,app/uninstalled}') or events.data ->> 'id' = ${appId}::bigint::text)`,
    )
}

type Events = ReturnType<typeof eventsOf>

type GivenFilters = Optional<{
  topics: readonly string[]
  created_at_min: Date
  created_at_max: Date
  since_id: number
}>

const FILTERS: Filters<Events, GivenFilters> = {
  topics: (events, topics) => events.where(sql<boolean>`events.topic = any(${topics}::text[])`),
  created_at_min: (events, time) => events.where('events.created_at', '>=', time),
  created_at_max: (events, time) => events.where('events.created_at', '<=', time),
  since_id: (events, id) => events.where('events.position', '>', id),
}

function readFilters({ topic, created_at_min, created_at_max }: EventFilters): GivenFilters {
  return {
    topics: readTopics(topic),
    created_at_min: readTime(created_at_min),
    created_at_max: readTime(created_at_max),
  }
}

const listed = prepareList((db: Db, { company, app, ...filters }: GivenFilters & { company: number; app: number }) => {
  const events = narrow(eventsOf(db, company, app), FILTERS, filters)
    .select((event) => event.ref('events.position').$notNull().as('id'))
    .select(['events.topic', 'events.data', 'events.created_at'])
    .$narrowType<Pick<LoggedEvent, 'data'>>()
  return db.selectFrom(events.as('log')).selectAll()
})

export function listEvents(db: Db, { companyId, appId }: LogReader, filters: EventFilters): RowList<LoggedEvent> {
  // Paging applies since_id itself.
  return listed(db, { ...readFilters(filters), company: companyId, app: appId })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number, appId: number) =>
  narrow(eventsOf(db, companyId, appId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

export async function countEvents(
  db: Db,
  { companyId, appId }: LogReader,
  { since_id, ...filters }: EventFilters & { since_id?: number },
): Promise<number> {
  const [row] = await counted(db, { ...readFilters(filters), since_id }, companyId, appId)
  return row?.count ?? 0
}

const lastOf = prepare((db: Db, companyId: number) =>
  db
    .selectFrom('events')
    .select('events.position')
    .where('events.company_id', '=', companyId)
    .where('events.position', 'is not', null)
    .orderBy('events.position', 'desc')
    .limit(sql.lit(1))
    .compile(),
)

/** The position of the latest event of a company; 0 if it has none. */
export async function findLastPosition(db: Db, companyId: number): Promise<number> {
  const [last] = await lastOf(db, companyId)
  return last?.position ?? 0
}
