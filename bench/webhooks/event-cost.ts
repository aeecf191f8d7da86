import type pg from 'pg'
import type { Case } from '../cases.ts'
import { measure, measureInTurn, type Pace, type Pair, type Target } from '../measure.ts'
import type { Load } from '../processes.ts'

/** An order without and with its event. */
export type EventCost = { without: Pair['first']; with: Pair['second']; costPercent: number }

/**
 * The cost of the event of an order, in CPU time of the service and of PostgreSQL. In one arm a trigger drops the row of
 * the event. The trigger costs a little itself, so the result is slightly too low; what the worker does with the event
 * is left out, because no worker runs.
 */
export async function measureEventCost(
  load: Load,
  service: Target,
  order: Case,
  client: pg.Client,
  options: Pace & { rounds: number },
): Promise<EventCost> {
  await client.query(`create function drop_event() returns trigger language plpgsql as 'begin return null; end'`)
  await client.query('create trigger drop_event before insert on events for each row execute function drop_event()')
  const inArm = async (state: 'enable' | 'disable') => {
    await client.query(`alter table events ${state} trigger drop_event`)
    return measure(load, service, order, options)
  }
  const pair = await measureInTurn(
    options.rounds,
    () => inArm('enable'),
    () => inArm('disable'),
  )
  const cost = ({ cpuMs, databaseMs }: Pair['first']) => cpuMs + databaseMs
  return { without: pair.first, with: pair.second, costPercent: (cost(pair.second) / cost(pair.first) - 1) * 100 }
}
