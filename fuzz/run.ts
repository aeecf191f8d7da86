import { createRandom } from '#demo/random.ts'
import { type Cost, CPU_MS_MAX, costsOf, sendBatch } from './cost.ts'
import { type OpenApi, operationsOf } from './document.ts'
import { createKnown } from './known.ts'
import { type Options, readOptions } from './options.ts'
import { createVisitor, type Visitors } from './pages.ts'
import { inOneLine, type Results, report, save, type Violation } from './report.ts'
import { type FuzzRequest, type Maker, nextRequest } from './requests.ts'
import { createSender, type Send } from './send.ts'
import { type FuzzedService, startService } from './service.ts'

/** So few that an ordinary batch takes less than the limit of one request. */
const BATCH = 40
/** Caches and compiled code are there after these. */
const WARM_UP = 2000
/** What caches and statistics may have grown by. */
const MEMORY_GROWTH_MB = 64
const VIOLATIONS_MAX = 20
const SLOWEST = 10
/** Forms can sign the visitor out. */
const SIGN_IN_EVERY = 50
const DOCUMENT_BYTES_MAX = 50_000

async function renewVisitors(service: FuzzedService, visitors: Visitors): Promise<void> {
  const [company] = service.companies
  visitors.list = [
    await createVisitor(service.url),
    // Too many wrong passwords, or a changed one, and nobody can sign in any more.
    await createVisitor(service.url, company).catch(() => createVisitor(service.url)),
  ]
}

/** Every list shows what the requests before have made, so documents of unusual size are deleted again. */
async function removeLarge(send: Send, made: FuzzRequest, text: string): Promise<void> {
  const [, id] = /"id":(\d+)/.exec(text) ?? []
  if (made.method !== 'POST' || text.length < DOCUMENT_BYTES_MAX || id === undefined) return
  const [path = ''] = made.path.split('?')
  if (/^\/api\/[a-z]+\.json$/.test(path))
    await send({ method: 'DELETE', path: path.replace('.json', `/${id}.json`), headers: made.headers })
}

async function fuzz(service: FuzzedService, { seed, requests }: Options): Promise<Results> {
  const document: OpenApi = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text())
  const { send, close } = createSender(service.url, document)
  const tokens = service.companies.map(({ token }) => token)
  const visitors: Visitors = { list: [] }
  const random = createRandom(seed)
  const maker: Maker = {
    document,
    random,
    known: createKnown(),
    operations: operationsOf(document),
    tokens,
    visitors,
    wildness: 0,
  }
  const results: Omit<Results, 'seconds'> = {
    ...{ seed, requests: 0, cpuMs: 0, statuses: new Map(), slowest: [], violations: [] },
    ...{ memoryBeforeMb: (await service.ask('memory')).memoryMb, memoryAfterMb: 0 },
  }
  const started = performance.now()
  for (let batch = 0; results.requests < requests && results.violations.length < VIOLATIONS_MAX; batch += 1) {
    if (batch % SIGN_IN_EVERY === 0) await renewVisitors(service, visitors)
    if (batch === Math.ceil(WARM_UP / BATCH)) results.memoryBeforeMb = (await service.ask('memory')).memoryMb
    const size = Math.min(BATCH, requests - results.requests)
    await runBatch(
      service,
      send,
      Array.from({ length: size }, () => nextRequest(maker)),
      maker,
      results,
    )
  }
  results.memoryAfterMb = (await service.ask('memory')).memoryMb
  const growthMb = results.memoryAfterMb - results.memoryBeforeMb
  if (growthMb > MEMORY_GROWTH_MB) results.violations.push({ what: `memory has grown by ${growthMb.toFixed(0)} MB` })
  await close()
  return { ...results, seconds: (performance.now() - started) / 1000 }
}

async function runBatch(
  service: FuzzedService,
  send: Send,
  requests: FuzzRequest[],
  { known }: Maker,
  results: Omit<Results, 'seconds'>,
): Promise<void> {
  const { answers, cpuMs } = await sendBatch(service, send, requests)
  results.requests += requests.length
  results.cpuMs += cpuMs
  for (const [index, { status, text, violation }] of answers.entries()) {
    const request = requests[index]
    if (request === undefined) continue
    results.statuses.set(status, (results.statuses.get(status) ?? 0) + 1)
    known.learn(request.path, text)
    if (violation !== undefined) results.violations.push({ what: violation, request })
    await removeLarge(send, request, text)
  }
  if (cpuMs <= CPU_MS_MAX) return
  const costs = await costsOf(service, send, requests)
  results.slowest = slowestOf([...results.slowest, ...costs])
  for (const { request, cpuMs: cost } of costs)
    if (cost > CPU_MS_MAX) results.violations.push({ what: `it took ${cost.toFixed(0)} ms of CPU`, request })
}

function slowestOf(costs: Cost[]): Cost[] {
  return costs.sort((one, other) => other.cpuMs - one.cpuMs).slice(0, SLOWEST)
}

async function show(seed: number, violations: Violation[]): Promise<void> {
  for (const [index, violation] of violations.entries()) {
    const request = violation.request === undefined ? '' : `\n  ${inOneLine(violation.request)}`
    console.error(`${violation.what.slice(0, 600)}${request}\n  saved in ${await save(seed, index, violation)}`)
  }
}

let service: FuzzedService | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void (service?.stop() ?? Promise.resolve()).finally(() => process.exit(1)))

try {
  const options = readOptions(process.argv.slice(2))
  service = await startService()
  console.log(`Sending ${options.requests} requests of seed ${options.seed} …`)
  const results = await fuzz(service, options)
  await show(options.seed, results.violations)
  console.log(report(results))
  if (results.violations.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await service?.stop()
}
