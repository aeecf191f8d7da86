import { sql } from 'kysely'
import { median } from '../measure.ts'
import type { Receiver } from './receiver.ts'
import { addApps, addEvents, addSubscribers, addWebhooks, type Stage, type Subscriber } from './stage.ts'

/**
 * Seconds until the living webhooks have got their events: without the dead, with dead ones that are new, and with dead
 * ones that have failed and are tried again in the minute that begins.
 */
export type Crowd = { webhooks: number; deliveries: number; alone: number; withNew: number; withFailing: number }

const COMPANIES = 20
const LIVING_EACH = 250
const EVENTS = 4
const DEAD = ['/hang', '/refuse']
const NOBODY_LISTENS = 9

/** Half of 10,000 webhooks are dead: nothing listens, the receiver never answers, or it answers 500. */
export async function measureCrowd(stage: Stage, receiver: Receiver, rounds: number): Promise<Crowd> {
  const living = await addSubscribers(stage, COMPANIES)
  const dead = await addApps(stage, living)
  const numbers = Array.from({ length: LIVING_EACH }, (_, number) => number)
  for (const subscriber of living)
    await addWebhooks(
      stage,
      subscriber,
      numbers.map((number) => receiver.url(`/ok/${number}`, number)),
    )
  for (const subscriber of dead)
    await addWebhooks(
      stage,
      subscriber,
      numbers.map((number) => deadAddress(receiver, number)),
    )
  const deliveries = COMPANIES * LIVING_EACH * EVENTS
  await sql`vacuum analyze webhooks`.execute(stage.db)

  const send = async (): Promise<number> => {
    receiver.reset()
    const started = performance.now()
    await addEvents(stage, living, EVENTS)
    await receiver.arrived(deliveries)
    return (performance.now() - started) / 1000
  }
  const times = { alone: [] as number[], withNew: [] as number[], withFailing: [] as number[] }
  await setDead(stage, dead, 'absent')
  await send()
  for (let round = 0; round < rounds; round += 1) {
    await setDead(stage, dead, 'absent')
    times.alone.push(await send())
    await setDead(stage, dead, 'new')
    times.withNew.push(await send())
    await setDead(stage, dead, 'failing')
    times.withFailing.push(await send())
  }
  await setDead(stage, dead, 'absent')
  return {
    webhooks: COMPANIES * LIVING_EACH * 2,
    deliveries,
    alone: median(times.alone),
    withNew: median(times.withNew),
    withFailing: median(times.withFailing),
  }
}

function deadAddress(receiver: Receiver, number: number): string {
  const path = DEAD[number % (DEAD.length + 1)]
  if (path !== undefined) return receiver.url(`${path}/${number}`, number)
  return `http://127.0.0.${1 + (number % 100)}:${NOBODY_LISTENS}/${number}`
}

/** Absent: they get no events. New: nothing has failed so far. Failing: each is due again at some time of a minute. */
async function setDead({ db }: Stage, dead: readonly Subscriber[], state: 'absent' | 'new' | 'failing'): Promise<void> {
  const apps = dead.map(({ appId }) => appId)
  const failures = state === 'failing' ? 3 : 0
  await sql`delete from deliveries where webhook_id in (select id from webhooks where app_id = any(${apps}::bigint[]))`.execute(
    db,
  )
  await sql`update webhooks set topic = ${state === 'absent' ? 'customer/create' : 'order/create'}, is_active = true,
      inactive_reason = null, failures = ${failures}, first_failed_at = ${failures > 0 ? sql`now()` : null},
      due_at = ${failures > 0 ? sql`now() + random() * interval '1 minute'` : null}, leased_until = null
    where app_id = any(${apps}::bigint[])`.execute(db)
  await sql`delete from webhook_blocks`.execute(db)
}
