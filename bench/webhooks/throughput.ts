import { cpuMs, familyCpu, familyCpuMs } from '../machine.ts'
import { median } from '../measure.ts'
import { startChild } from '../processes.ts'
import { shape } from '../verify.ts'
import type { FloorOrder } from './floor.ts'
import type { Receiver } from './receiver.ts'
import { addEvents, addSubscribers, addWebhooks, type Stage } from './stage.ts'

export type Throughput = {
  name: string
  title: string
  deliveries: number
  perSecond: number
  floorPerSecond: number
  /** CPU time of one delivery: of the worker, of the floor's process, of PostgreSQL. */
  cpuMs: number
  floorCpuMs: number
  databaseMs: number
  rounds: { perSecond: number; floorPerSecond: number }[]
}

const BODY = `{"company_id":1000,"producer":"shop","scope":"order/create","data":{"type":"order","id":"1000001"},"hash":"${'a'.repeat(64)}"}`

/** One request to each receiver. */
export const COMPARED = 100

type Case = { name: string; title: string; companies: number; webhooksEach: number; parallel: number }

const CASES: Case[] = [
  { name: 'one', title: 'to one webhook', companies: 1, webhooksEach: 1, parallel: 20 },
  { name: 'hundred', title: 'to 100 webhooks of 10 companies', companies: 10, webhooksEach: 10, parallel: 256 },
]

/** Deliveries per second of one worker, and of the floor, in turn. */
export async function measureThroughput(
  stage: Stage,
  receiver: Receiver,
  { deliveries, warmUp, rounds }: { deliveries: number; warmUp: number; rounds: number },
): Promise<Throughput[]> {
  const floor = startChild('bench/webhooks/floor.ts')
  const results: Throughput[] = []
  for (const { name, title, companies, webhooksEach, parallel } of CASES) {
    const subscribers = await addSubscribers(stage, companies)
    const urls = Array.from({ length: companies * webhooksEach }, (_, host) => receiver.url('/ok', host))
    for (const [index, subscriber] of subscribers.entries())
      await addWebhooks(stage, subscriber, urls.slice(index * webhooksEach, (index + 1) * webhooksEach))

    const post = async (count: number) => {
      receiver.reset()
      const cpuBefore = cpuMs(floor.pid)
      const started = performance.now()
      const order: FloorOrder = { urls, posts: count, parallel, body: BODY }
      await floor.ask(order)
      return {
        perSecond: (count * 1000) / (performance.now() - started),
        cpuMs: (cpuMs(floor.pid) - cpuBefore) / count,
      }
    }
    const send = async (count: number) => {
      receiver.reset()
      const [cpuBefore, databaseBefore] = [cpuMs(stage.worker.pid), familyCpu(stage.postmaster)]
      const started = performance.now()
      await addEvents(stage, subscribers, count / urls.length)
      await receiver.arrived(count)
      const ms = performance.now() - started
      const cpu = cpuMs(stage.worker.pid) - cpuBefore
      const database = familyCpuMs(databaseBefore, familyCpu(stage.postmaster))
      return { perSecond: (count * 1000) / ms, cpuMs: cpu / count, databaseMs: database / count }
    }

    await compare(post, send, receiver)
    await post(warmUp)
    await send(warmUp)
    const measured = []
    for (let round = 0; round < rounds; round += 1)
      measured.push({ floor: await post(deliveries), worker: await send(deliveries) })
    results.push({
      name,
      title,
      deliveries,
      perSecond: median(measured.map(({ worker }) => worker.perSecond)),
      floorPerSecond: median(measured.map(({ floor }) => floor.perSecond)),
      cpuMs: median(measured.map(({ worker }) => worker.cpuMs)),
      floorCpuMs: median(measured.map(({ floor }) => floor.cpuMs)),
      databaseMs: median(measured.map(({ worker }) => worker.databaseMs)),
      rounds: measured.map(({ floor, worker }) => ({ perSecond: worker.perSecond, floorPerSecond: floor.perSecond })),
    })
  }
  return results
}

/** Fails unless the floor's request is like the worker's: the same headers, and a body with the same names. */
async function compare(
  post: (count: number) => Promise<unknown>,
  send: (count: number) => Promise<unknown>,
  receiver: Receiver,
): Promise<void> {
  const seen: string[] = []
  for (const work of [send, post]) {
    receiver.onArrival = (body, headers) => {
      seen.push(JSON.stringify([shape(JSON.parse(body)), Object.keys(headers).toSorted()]))
    }
    await work(COMPARED)
    receiver.onArrival = undefined
  }
  const kinds = new Set(seen)
  if (seen.length !== 2 * COMPARED || kinds.size !== 1)
    throw new Error(`the floor's requests differ from the worker's: ${[...kinds].join('\n')}`)
}
