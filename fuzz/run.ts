import { type Cost, CPU_MS_MAX, costsOf, sendBatch } from './cost.ts'
import type { OpenApi } from './document.ts'
import type { Answer, FuzzRequest, Group, GroupOptions, Step } from './group.ts'
import { createGroups, createTurns } from './groups.ts'
import { createKnown } from './known.ts'
import { growthIn } from './memory.ts'
import { type Options, readOptions } from './options.ts'
import { gapsIn, inWords, type Results, report, save, type Tally } from './report.ts'
import { createScene, renewUsers } from './scene.ts'
import { createSender, type Send } from './send.ts'
import { type FuzzedService, startService } from './service.ts'

/** So few that an ordinary batch takes less than the limit of one request. */
const BATCH = 40
/** Caches and compiled code begin to be there after these. */
const WARM_UP = 2000
const MEMORY_EVERY = 10_000
const VIOLATIONS_MAX = 20
const SLOWEST = 10
/** A short run may not come to everything that it has to reach: so many more are sent until it has. */
const MORE = 3000
/** Forms can sign the visitor out. */
const SIGN_IN_EVERY = 50
const DOCUMENT_BYTES_MAX = 50_000

type Turn = { group: Group; step: Step }

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
  const options: Omit<GroupOptions, 'random'> = { scene: await createScene(service), document, known: createKnown() }
  const groups = createGroups(seed, options)
  const nextGroup = createTurns(groups)
  const results: Omit<Results, 'seconds'> = {
    seed,
    requests: 0,
    cpuMs: 0,
    slowest: [],
    violations: [],
    tallies: new Map(groups.map((group) => [group, { requests: 0, statuses: new Map(), proved: new Map() }])),
    memory: [],
  }
  const lookAtMemory = async () => {
    const { memoryMb } = await service.ask('memory')
    results.memory.push({ requests: results.requests, memoryMb })
  }
  const started = performance.now()
  const isDone = () =>
    results.violations.length >= VIOLATIONS_MAX ||
    (results.requests >= requests &&
      (results.requests >= requests + MORE || gapsIn(results.tallies, results.requests).length === 0))
  for (let batch = 1; !isDone(); batch += 1) {
    if (batch % SIGN_IN_EVERY === 0) Object.assign(options.scene, await renewUsers(service, options.scene))
    if (results.requests === WARM_UP || results.requests % MEMORY_EVERY === 0) await lookAtMemory()
    const left = requests - results.requests
    const size = left > 0 ? Math.min(BATCH, left) : BATCH
    const turns: Turn[] = Array.from({ length: size }, nextGroup).map((group) => ({ group, step: group.next() }))
    await runBatch(service, send, turns, results)
  }
  await lookAtMemory()
  results.violations.push(...growthIn(results.memory), ...gapsIn(results.tallies, results.requests))
  await close()
  return { ...results, seconds: (performance.now() - started) / 1000 }
}

async function runBatch(
  service: FuzzedService,
  send: Send,
  turns: Turn[],
  results: Omit<Results, 'seconds'>,
): Promise<void> {
  const sent = turns.map(({ step }) => step.request)
  const { answers, cpuMs } = await sendBatch(service, send, sent)
  results.requests += turns.length
  results.cpuMs += cpuMs
  const { requests, violations } = results
  for (const [index, { group, step }] of turns.entries()) {
    const answer = answers[index]
    const tally = results.tallies.get(group)
    if (answer === undefined || tally === undefined) throw new Error('a request has no answer')
    count(tally, group, step.request, answer, requests)
    step.take?.(answer)
    if (answer.violation !== undefined)
      violations.push({ what: answer.violation, request: step.request, group: group.name, requests })
    await removeLarge(send, step.request, answer.text)
  }
  if (cpuMs <= CPU_MS_MAX) return
  const costs = await costsOf(service, send, sent)
  results.slowest = slowestOf([...results.slowest, ...costs])
  for (const { request, cpuMs: cost } of costs)
    if (cost > CPU_MS_MAX) violations.push({ what: `it took ${cost.toFixed(0)} ms of CPU`, request, requests })
}

function count(tally: Tally, { proofs }: Group, request: FuzzRequest, answer: Answer, requests: number): void {
  tally.requests += 1
  tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
  for (const [name, isProved] of Object.entries(proofs)) if (isProved(request, answer)) tally.proved.set(name, requests)
}

function slowestOf(costs: Cost[]): Cost[] {
  return costs.sort((one, other) => other.cpuMs - one.cpuMs).slice(0, SLOWEST)
}

async function show({ seed, violations }: Results): Promise<void> {
  for (const [index, violation] of violations.entries()) {
    const file = violation.request === undefined ? '' : `\n  saved in ${await save(seed, index, violation)}`
    console.error(`${inWords(seed, violation)}${file}`)
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
  await show(results)
  console.log(report(results))
  if (results.violations.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await service?.stop()
}
