import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { condition, type Filled } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import { readTopics } from './rules.ts'
import type { EventFilters } from './schema.ts'
import type { LoggedEvent, LogReader } from './state.ts'

/**
 * Every read of the log starts here, so none can forget the company. An event is shown once it has its position: those
 * who follow the positions then miss nothing.
 */
function eventsOf(db: Db, companyId: number, appId: number | null) {
  return db
    .selectFrom('events')
    .where('events.company_id', '=', companyId)
    .where('events.position', 'is not', null)
    .where(
      condition`(events.topic <> all ('{app/update,app/uninstalled}') or ${appId}::bigint is null or events.data ->> 'id' = ${appId}::bigint::text)`,
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
  topics: (events, topics) => events.where(condition`events.topic = any(${topics}::text[])`),
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

const listed = prepareList(
  (db: Db, { company, app, ...filters }: GivenFilters & { company: number; app: number | null }) => {
    const events = narrow(eventsOf(db, company, app), FILTERS, filters)
      .select((event) => event.ref('events.position').$notNull().as('id'))
      .select(['events.topic', 'events.data', 'events.created_at'])
      .$narrowType<Pick<LoggedEvent, 'data'>>()
    return db.selectFrom(events.as('log')).selectAll()
  },
)

export function listEvents(db: Db, { companyId, appId }: LogReader, filters: EventFilters): RowList<LoggedEvent> {
  // Paging applies since_id itself.
  return listed(db, { ...readFilters(filters), company: companyId, app: appId })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number, appId: number | null) =>
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

const lastOfEach = prepare((db: Db, companyIds: number[]) =>
  sql<Filled<'events', 'company_id' | 'position'>>`select listed.company_id, last.position
    from unnest(${companyIds}::bigint[]) as listed (company_id), lateral (
      select events.position from events
      where events.company_id = listed.company_id and events.position is not null
      order by events.position desc limit 1) as last`.compile(db),
)

/** The position of the latest event of each of several companies; nothing for those that have none. */
export async function readLastPositions(db: Db, companyIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await lastOfEach(db, [...companyIds])
  return new Map(rows.map(({ company_id, position }) => [company_id, position]))
}

const selectTraces = prepare((db: Db, companies: number[], positions: number[]) =>
  sql<Filled<'events', 'position' | 'trace_parent'>>`select events.position, events.trace_parent
    from unnest(${companies}::bigint[], ${positions}::bigint[]) as wanted (company_id, position)
    join events on events.company_id = wanted.company_id and events.position = wanted.position
    where events.trace_parent is not null`.compile(db),
)

/** The traces that events belong to, by their positions in the log. */
export async function readTraces(
  db: Db,
  events: readonly { company_id: number; position: number }[],
): Promise<Map<number, string>> {
  const rows = await selectTraces(
    db,
    events.map(({ company_id }) => company_id),
    events.map(({ position }) => position),
  )
  return new Map(rows.map(({ position, trace_parent }) => [position, trace_parent]))
}
