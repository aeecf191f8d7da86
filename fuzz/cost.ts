import type { Answer, FuzzRequest } from './group.ts'
import type { Send } from './send.ts'
import type { FuzzedService } from './service.ts'

/** CPU time of the service for one request, and for the compilation that only its first one needs. */
export const CPU_MS_MAX = 250
const REPEATS = 3

export type Cost = { request: FuzzRequest; cpuMs: number }

/** CPU time of the service while something is done. */
async function cpuOf(service: FuzzedService, work: () => Promise<unknown>): Promise<number> {
  const before = await service.ask('cpu')
  await work()
  return (await service.ask('cpu')).cpuMs - before.cpuMs
}

export type Batch = { answers: Answer[]; cpuMs: number }

/** Sends a few at a time, and returns the answers in the order of the requests. */
export async function sendBatch(service: FuzzedService, send: Send, requests: FuzzRequest[]): Promise<Batch> {
  const answers: Answer[] = []
  const cpuMs = await cpuOf(service, async () => {
    answers.push(...(await Promise.all(requests.map(send))))
  })
  return { answers, cpuMs }
}

/**
 * Sends the requests of a batch that took long once more, half of them at a time, until the dear ones are found. None in
 * a half that took less than the limit can be above it.
 */
export async function costsOf(service: FuzzedService, send: Send, requests: FuzzRequest[]): Promise<Cost[]> {
  const [request, ...others] = requests
  if (request === undefined) return []
  if (others.length === 0) return [{ request, cpuMs: await costOf(service, send, request) }]
  const middle = Math.ceil(requests.length / 2)
  const costs: Cost[] = []
  for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
    const { cpuMs } = await sendBatch(service, send, half)
    if (cpuMs > CPU_MS_MAX) costs.push(...(await costsOf(service, send, half)))
  }
  return costs
}

/** A request is as dear as its cheapest repetition: garbage of others is collected during any of them. */
async function costOf(service: FuzzedService, send: Send, request: FuzzRequest): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY
  for (let count = 0; count < REPEATS && cheapest > CPU_MS_MAX; count += 1)
    cheapest = Math.min(cheapest, await cpuOf(service, () => send(request)))
  return cheapest
}
