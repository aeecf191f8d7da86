import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureAuth } from './auth.ts'
import { type Asked, type Case, type CaseName, makeCases, NEW_PRODUCT } from './cases.ts'
import { fillFloor, prepareFloorWrites } from './floor-tables.ts'
import { type Large, measureLarge } from './large.ts'
import { isPinning, OTHER_CORE, pin, rssMb } from './machine.ts'
import { measure, measureInTurn, type Target } from './measure.ts'
import { type Options, readOptions } from './options.ts'
import { type Growth, measureOrders } from './orders.ts'
import {
  cleanUp,
  databaseHost,
  type Load,
  makeDataFolder,
  postmasterPid,
  type Service,
  seed,
  startFloor,
  startLoad,
  startService,
  withDatabase,
} from './processes.ts'
import { type CaseResult, type Results, report, reportWebhooks, type WebhookResults } from './report.ts'
import { measureRights, reportRights } from './rights/section.ts'
import { measurePages, reportPages } from './shop/section.ts'
import { measureStatistics, reportStatistics } from './statistics/section.ts'
import { fetchBody, verify } from './verify.ts'
import { proofLine, proveWebhooks } from './webhooks/proof.ts'
import { measureWebhooks, type Webhooks } from './webhooks/section.ts'

const RESULTS = join(import.meta.dirname, 'results')
const IDLE_SECONDS = 5
/** Enough orders for pages at any position; `--orders` measures larger numbers. */
const ORDERS = 10_000

type Stage = { service: Target; floor: Target; cases: Record<CaseName, Case> }

/** Fills the shop, stores the floor's responses, and checks that both send the same. */
async function prepare(folder: string, service: Service, options: Options): Promise<Stage> {
  console.log(`Filling the shop with ${options.products} products and ${ORDERS} orders …`)
  await seed(folder, options.products, ORDERS)
  const host = await databaseHost(folder)
  const sample: Asked = { method: 'POST', path: '/api/products.json', body: NEW_PRODUCT }
  const created: { product: { id: number } } = JSON.parse(await fetchBody(service, sample, 201))
  const { cases, floorCompany } = await withDatabase(host, async (client) => {
    const cases = await makeCases(client, service.companyId)
    const [firstOrder] = cases.order.requests
    if (firstOrder === undefined) throw new Error('there is no order to send')
    const ordered: { order: { id: number } } = JSON.parse(await fetchBody(service, firstOrder, 201))
    const { list, fields, count, filtered, licenses, prices, orders } = cases
    const reads = [list, fields, count, filtered, licenses, prices, orders].flatMap(({ requests }) => requests)
    await fillFloor(client, service, reads, (asked) => fetchBody(service, asked))
    const floorCompany = await prepareFloorWrites(client, { productKey: created.product.id, orderId: ordered.order.id })
    await client.query('vacuum analyze')
    return { cases, floorCompany }
  })
  const floor = await startFloor(host, options.floor, floorCompany)
  const compared = await verify(service, floor, Object.values(cases))
  console.log(`Floor and service gave the same answers to ${compared} requests.`)
  const postmaster = await postmasterPid(folder)
  return { service: { ...service, postmaster }, floor: { ...floor, postmaster }, cases }
}

async function measureCases(load: Load, { service, floor, cases }: Stage, options: Options): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const name of options.cases) {
    const chosen = cases[name]
    console.log(`Measuring ${chosen.title} …`)
    const pair = await measureInTurn(
      options.rounds,
      () => measure(load, floor, chosen, options),
      () => measure(load, service, chosen, options),
    )
    results.push({
      case: { name, title: chosen.title, ...(chosen.aim === undefined ? {} : { aim: chosen.aim }) },
      floor: pair.first,
      service: pair.second,
    })
  }
  return results
}

async function bench(options: Options): Promise<Results> {
  const loadBefore = loadavg()[0] ?? 0
  pin(OTHER_CORE, process.pid)
  const folder = await makeDataFolder()
  const cold = await startService(folder)
  await cold.stop()
  const service = await startService(folder)
  await sleep(IDLE_SECONDS * 1000)
  const idleRssMb = rssMb(service.pid)
  const stage = await prepare(folder, service, options)
  const load = startLoad()
  // The second shop comes first: creates would make the first one grow before the two are compared.
  const large: Large | undefined = options.large
    ? await measureLarge(load, stage.service, stage.cases, options)
    : undefined
  const auth = options.auth ? await measureAuth(load, stage.service, options) : undefined
  const webhooks: Webhooks | undefined = options.webhooks ? await measureWebhooks(options) : undefined
  const growth: Growth | undefined = options.orders === 0 ? undefined : await measureOrders(load, options)
  const cases = await measureCases(load, stage, options)
  return {
    at: new Date().toISOString(),
    node: process.version,
    pinned: isPinning(),
    loadBefore,
    options,
    idleRssMb,
    coldStartMs: cold.startMs,
    warmStartMs: service.startMs,
    cases,
    ...(auth === undefined ? {} : { auth }),
    ...(large === undefined ? {} : { large }),
    ...(growth === undefined ? {} : { growth }),
    ...(webhooks === undefined ? {} : { webhooks }),
  }
}

/** A section of its own, without the shop and the floor of the others. */
async function benchWebhooks(options: Options): Promise<WebhookResults> {
  const loadBefore = loadavg()[0] ?? 0
  pin(OTHER_CORE, process.pid)
  const webhooks = await measureWebhooks(options)
  return { at: new Date().toISOString(), node: process.version, pinned: isPinning(), loadBefore, options, webhooks }
}

async function save(results: { at: string }): Promise<string> {
  await mkdir(RESULTS, { recursive: true })
  const file = join(RESULTS, `${results.at.replace(/[:.]/g, '-')}.json`)
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  return file
}

let stopping = false
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    stopping = true
    console.error('Stopping …')
    void cleanUp().finally(() => process.exit(code))
  })
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options.only === 'webhooks-proof') console.log(proofLine(await proveWebhooks(options.changes, options.kills)))
  else if (options.only === 'rights') console.log(reportRights(await measureRights(options)))
  else if (options.only === 'statistics') console.log(reportStatistics(await measureStatistics(options)))
  else if (options.only === 'shop') console.log(reportPages(await measurePages(options)))
  else {
    const results = options.only === 'webhooks' ? await benchWebhooks(options) : await bench(options)
    console.log('cases' in results ? report(results) : reportWebhooks(results))
    console.log(`Written to ${await save(results)}`)
  }
} catch (error) {
  if (!stopping) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanUp()
}
