import { sql } from 'kysely'
import { cpuMs, familyCpu, familyCpuMs } from '../machine.ts'
import { median } from '../measure.ts'
import type { Receiver } from './receiver.ts'
import { addApps, addEvents, addSubscribers, addWebhooks, type Stage, type Subscriber } from './stage.ts'

/** Until the living webhooks have got their events, with the CPU time for each. */
export type Sent = { seconds: number; cpuMs: number; databaseMs: number }

/** Without the dead, with dead ones that are new, and with dead ones that have failed and are tried again in the next minute. */
export type Crowd = { webhooks: number; deliveries: number; alone: Sent; withNew: Sent; withFailing: Sent }

type Size = { companies: number; livingEach: number; events: number }
const FULL: Size = { companies: 20, livingEach: 250, events: 4 }
const SMALL: Size = { companies: 2, livingEach: 3, events: 2 }
const DEAD = ['/hang', '/refuse']
const NOBODY_LISTENS = 9

/** Half of 10,000 webhooks are dead: nothing listens, the receiver never answers, or it answers 500. */
export async function measureCrowd(
  stage: Stage,
  receiver: Receiver,
  { rounds, smoke }: { rounds: number; smoke: boolean },
): Promise<Crowd> {
  const { companies, livingEach, events } = smoke ? SMALL : FULL
  const living = await addSubscribers(stage, companies)
  const dead = await addApps(stage, living)
  const numbers = Array.from({ length: livingEach }, (_, number) => number)
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
  const deliveries = companies * livingEach * events
  await sql`vacuum analyze webhooks`.execute(stage.db)

  const send = async (): Promise<Sent> => {
    receiver.reset()
    const [cpuBefore, databaseBefore] = [cpuMs(stage.worker.pid), familyCpu(stage.postmaster)]
    const started = performance.now()
    await addEvents(stage, living, events)
    await receiver.arrived(deliveries)
    const seconds = (performance.now() - started) / 1000
    const database = familyCpuMs(databaseBefore, familyCpu(stage.postmaster))
    return { seconds, cpuMs: (cpuMs(stage.worker.pid) - cpuBefore) / deliveries, databaseMs: database / deliveries }
  }
  const times: Record<'alone' | 'withNew' | 'withFailing', Sent[]> = { alone: [], withNew: [], withFailing: [] }
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
    webhooks: companies * livingEach * 2,
    deliveries,
    alone: medianSent(times.alone),
    withNew: medianSent(times.withNew),
    withFailing: medianSent(times.withFailing),
  }
}

function medianSent(sent: readonly Sent[]): Sent {
  const of = (name: keyof Sent) => median(sent.map((each) => each[name]))
  return { seconds: of('seconds'), cpuMs: of('cpuMs'), databaseMs: of('databaseMs') }
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
