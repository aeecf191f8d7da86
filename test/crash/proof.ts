import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { request } from 'undici'
import { createApp } from '#apps/oauth/apps.commands.ts'
import { ALL_SCOPES } from '#apps/oauth/scopes.facts.ts'
import { createPrice } from '#catalog/prices/commands.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { readConfig } from '#platform/settings/config.ts'
import { closeStore, type MigratedStore, openMigratedStore } from '#program/boot/store.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { createClient, NoAnswer } from './changes.ts'
import { type Killable, startFastWorker, startServe } from './processes.ts'
import { startFailingReceiver } from './receiver.ts'
import { type Kill, type Verdict, verify } from './verify.ts'

export type ProofOptions = {
  databaseUrl: string
  dataFolder: string
  /** At least so many changes are asked for, and so many processes killed. */
  changes: number
  kills: number
  workers: number
  /** Milliseconds between two kills, at least and at most. */
  killEveryMs: [number, number]
  failureRate: number
  random: () => number
  onProgress?: (text: string) => void
}

export type ProofReport = Verdict & { kills: number; refusals: number; seconds: number }

/** A minute of the retry schedule takes two seconds, and so does a lease. */
const CLOCK_TIMES = 30
const CLIENTS = 6
const TOPICS = ['product/create', 'product/update', 'product/delete', 'order/create']
const DRAIN_MS = 60_000
/** How long a client waits after each change beyond those that were asked for, until the last process was killed. */
const BEYOND_MS = 500

/**
 * Kills the service and its workers again and again while clients change products and orders and the receiver fails, and
 * then compares what arrived with what was changed. It throws if they differ.
 */
export async function proveDelivery(options: ProofOptions): Promise<ProofReport> {
  const { databaseUrl, dataFolder, random, onProgress = () => {} } = options
  const started = performance.now()
  const settings = {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    LICET_DATA: dataFolder,
    LICET_DEMO: 'false',
    LICET_ALLOW_LOOPBACK: 'true',
    LICET_LOG_LEVEL: 'silent',
    LICET_CURRENCY_RATES_URL: '',
    LICET_RATE_LIMIT_BURST: '1000000',
    LICET_RATE_LIMIT_PER_SECOND: '1000000',
    LICET_REFUSE_AFTER_MS: '0',
  }
  const store = await openMigratedStore(readConfig(settings))
  const receiver = await startFailingReceiver(random, options.failureRate)
  const serve = startServe(settings)
  const workers = Array.from({ length: options.workers }, () => startFastWorker(settings, Date.now(), CLOCK_TIMES))
  const processes = [serve, ...workers]
  const kills: Kill[] = []
  try {
    const shop = await openShop(store)
    const ask = createAsk(serve, shop.token)
    const setUp = async (path: string, body: object) => (await ask('POST', path, body)).body
    const webhooks = await subscribe(store, shop, (topic) => receiver.url(`/${topic}`), serve)
    const { product: film } = await setUp('/api/products.json', {
      product: { product_type: 1, title: 'Film', published: true, price_license_binding: [shop.binding] },
    })
    const email = 'buyer@example.com'
    const { customer } = await setUp('/api/customers.json', {
      customer: { email, password: 'a password to shop with' },
    })
    await Promise.all(processes.map(({ greeting }) => greeting))

    let isKilling = true
    let hasFailed = false
    const clients = Array.from({ length: CLIENTS }, (_, number) =>
      createClient({ name: `client ${number}`, companyId: shop.companyId, random, ask, film, customer }),
    )
    const asked = () => clients.reduce((sum, { changes }) => sum + changes.length, 0)
    const killAll = async () => {
      const [least, most] = options.killEveryMs
      for (let count = 0; count < options.kills && !hasFailed; count += 1) {
        await sleep(least + random() * (most - least))
        const victim = processes[Math.floor(random() * processes.length)] ?? serve
        kills.push({ at: performance.now(), isWorker: victim !== serve })
        await victim.killAndRestart()
        if (count % 10 === 9) onProgress(`${count + 1} kills, ${asked()} changes, ${receiver.arrivals.length} arrivals`)
      }
      isKilling = false
    }
    const change = async ({ makeChange }: (typeof clients)[number]) => {
      while (!hasFailed && (isKilling || asked() < options.changes)) {
        await makeChange()
        // On a busy machine a process takes long to start, and every change has to be delivered in the end.
        if (asked() >= options.changes) await sleep(BEYOND_MS)
      }
    }
    const tasks = [killAll(), ...clients.map(change)]
    for (const task of tasks)
      task.catch(() => {
        hasFailed = true
      })
    // A process that is being restarted could not be ended.
    await Promise.allSettled(tasks)
    await Promise.all(tasks)
    onProgress(`All changes are made; ${receiver.arrivals.length} requests have arrived.`)
    receiver.mend()
    for (const { id, ask: asApp } of webhooks)
      await asApp('PUT', `/api/webhooks/${id}.json`, { webhook: { is_active: true } })
    await untilSent(store)
    const changes = clients.flatMap((client) => client.changes)
    const created = {
      topic: 'product/create',
      resource: String(film.id),
      isCertain: true,
      lookUp: async () => undefined,
    }
    const verdict = await verify(store.db, shop.companyId, [created, ...changes], receiver.arrivals, kills)
    const refusals = clients.reduce((sum, client) => sum + client.refusals, 0)
    return { ...verdict, kills: kills.length, refusals, seconds: (performance.now() - started) / 1000 }
  } finally {
    await Promise.all(processes.map(({ end }) => end()))
    receiver.close()
    await closeStore(store)
  }
}

type Shop = { companyId: number; userId: number; token: string; binding: object }

async function openShop({ db, vault }: MigratedStore): Promise<Shop> {
  const now = nowInSeconds(machineClock)
  return inTransaction(db, async (tx) => {
    const details = { company_name: 'Shop', email: 'shop@example.com', country_code: 'DE', currency: 'EUR' }
    const ids = await openCompany(tx, details, { email: details.email, passwordHash: null }, now)
    const price = { title: 'Film', currencies: [{ currency: 'eur', price: 999 }] }
    const { state } = await createPrice(tx, ids, price, now)
    const appId = await anApp(tx, vault, ids, now)
    const token = await issueToken(tx, { ...ids, appId, scopes: ALL_SCOPES, lifetimeSeconds: 86_400 }, now)
    return { ...ids, token, binding: { license_id: 1, price_id: state.id } }
  })
}

type Parts = [
  tx: Parameters<typeof createApp>[0],
  vault: MigratedStore['vault'],
  ids: { companyId: number; userId: number },
  now: Date,
]

async function anApp(...[tx, vault, ids, now]: Parts): Promise<number> {
  const actor = { userId: ids.userId, origin: { address: '127.0.0.1', requestId: 'proof' } }
  return (await createApp(tx, { companyId: ids.companyId, name: 'App', redirectUris: [] }, vault, actor, now)).id
}

/** An app for each webhook, because a failure blocks everything of the app. */
async function subscribe(
  { db, vault }: MigratedStore,
  { companyId, userId }: Shop,
  address: (topic: string) => string,
  serve: Killable,
): Promise<{ id: number; ask: Ask }[]> {
  const now = nowInSeconds(machineClock)
  const webhooks = []
  for (const topic of TOPICS) {
    const token = await inTransaction(db, async (tx) => {
      const appId = await anApp(tx, vault, { companyId, userId }, now)
      const grant = { companyId, userId, appId, scopes: ALL_SCOPES, lifetimeSeconds: 86_400 }
      return issueToken(tx, grant, now)
    })
    const ask = createAsk(serve, token)
    const { body } = await ask('POST', '/api/webhooks.json', { webhook: { topic, address: address(topic) } })
    webhooks.push({ id: body.webhook.id, ask })
  }
  return webhooks
}

// biome-ignore lint/suspicious/noExplicitAny: the proof reads whatever the wire carries.
type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>

const AGAIN_MS = 20

/** Asks the service, waiting while it is down; a connection that breaks leaves open whether the change was made. */
function createAsk(serve: Killable, token: string): Ask {
  return async (method, path, body) => {
    for (;;) {
      const { address }: { address: string } = JSON.parse(await serve.greeting)
      try {
        const { statusCode, body: answer } = await request(`${address}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        })
        return { status: statusCode, body: JSON.parse((await answer.text()) || '{}') }
      } catch (error) {
        if (errorCode(error) !== 'ECONNREFUSED') throw new NoAnswer()
        await sleep(AGAIN_MS)
      }
    }
  }
}

async function untilSent({ db }: MigratedStore): Promise<void> {
  const deadline = performance.now() + DRAIN_MS
  for (;;) {
    const { rows } = await sql<{ left: number }>`select
      (select count(*) from events where position is null) +
      (select count(*) from deliveries where state = 'pending') as left`.execute(db)
    const left = rows[0]?.left ?? 0
    if (left === 0) return
    if (performance.now() > deadline) throw new Error(`${left} events are still to be sent after a minute`)
    await sleep(50)
  }
}
