import { sql } from 'kysely'
import { createApp } from '#apps/oauth/apps.commands.ts'
import { ALL_SCOPES } from '#apps/oauth/scopes.facts.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { readConfig } from '#platform/settings/config.ts'
import { closeStore, type MigratedStore, openMigratedStore } from '#program/boot/store.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { OTHER_CORE, pinWithChildren } from '../machine.ts'
import { atCleanUp, type Running } from '../processes.ts'
import { makeFolder, postmasterPid, settings, startWorker } from '../services.ts'

/** A database of its own, and the worker process that sends from it. */
export type Stage = MigratedStore & { folder: string; postmaster: number; worker: Running }

export async function openStage(smoke: boolean): Promise<Stage> {
  const folder = await makeFolder(smoke)
  const store = await openMigratedStore(readConfig(settings(folder)))
  atCleanUp(() => closeStore(store))
  const postmaster = await postmasterPid(folder)
  pinWithChildren(OTHER_CORE, postmaster)
  return { ...store, folder, postmaster, worker: await startWorker(folder) }
}

/** A company, and an app that it has installed. */
export type Subscriber = { companyId: number; userId: number; appId: number }

let subscriberCount = 0

export async function addSubscribers({ db, vault }: Stage, count: number): Promise<Subscriber[]> {
  const subscribers: Subscriber[] = []
  const now = nowInSeconds(machineClock)
  for (let made = 0; made < count; made += 1) {
    subscriberCount += 1
    const name = `Shop ${subscriberCount}`
    const email = `shop-${subscriberCount}@example.com`
    const details = { company_name: name, email, country_code: 'DE', currency: 'EUR' }
    const subscriber = await inTransaction(db, async (tx) => {
      const ids = await openCompany(tx, details, { email, passwordHash: null }, now)
      return addApp(tx, vault, ids, now)
    })
    subscribers.push(subscriber)
  }
  return subscribers
}

/** Gives each company a second app. */
export async function addApps({ db, vault }: Stage, subscribers: readonly Subscriber[]): Promise<Subscriber[]> {
  const now = nowInSeconds(machineClock)
  const others: Subscriber[] = []
  for (const { companyId, userId } of subscribers)
    others.push(await inTransaction(db, (tx) => addApp(tx, vault, { companyId, userId }, now)))
  return others
}

async function addApp(
  tx: Tx,
  vault: MigratedStore['vault'],
  ids: { companyId: number; userId: number },
  now: Date,
): Promise<Subscriber> {
  const actor = { userId: ids.userId, origin: { address: '127.0.0.1', requestId: 'benchmark' } }
  const details = { companyId: ids.companyId, name: 'App', redirectUris: [] }
  const { id: appId } = await createApp(tx, details, vault, actor, now)
  await issueToken(tx, { ...ids, appId, scopes: ALL_SCOPES, lifetimeSeconds: 86_400 }, now)
  return { ...ids, appId }
}

/** Adds webhooks for `order/create` with these addresses. */
export async function addWebhooks({ db }: Stage, { companyId, appId }: Subscriber, addresses: string[]): Promise<void> {
  await sql`insert into webhooks (company_id, app_id, topic, address, is_active, since_event_id, created_at, updated_at)
    select ${companyId}, ${appId}, 'order/create', address, true, 0, now(), now()
    from unnest(${addresses}::text[]) as address`.execute(db)
}

/** Adds events of different orders, as a change does, in one transaction; the workers are notified. */
export async function addEvents({ db }: Stage, subscribers: readonly Subscriber[], each: number): Promise<void> {
  const companies = subscribers.map(({ companyId }) => companyId)
  await sql`with added as (
      insert into events (company_id, topic, data, created_at)
      select company, 'order/create', json_build_object('type', 'order', 'id', (1000000 + number)::text), now()
      from generate_series(1, ${each}::int) as number, unnest(${companies}::bigint[]) as company returning id
    ) select pg_notify('licet_events', ''), count(*) from added`.execute(db)
}
