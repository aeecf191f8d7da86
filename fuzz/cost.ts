import type { FuzzRequest } from './requests.ts'
import type { Answer, Send } from './send.ts'
import type { FuzzedService } from './service.ts'

/** CPU time of the service for one request, and for the compilation that only its first one needs. */
export const CPU_MS_MAX = 250
const REPEATS = 3

export type Cost = { request: FuzzRequest; cpuMs: number }

/** CPU time of the service while something is done. */
export async function cpuOf(service: FuzzedService, work: () => Promise<unknown>): Promise<number> {
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

/** Sends each request of a batch that took long once more, alone, and returns what it costs. */
export async function costsOf(service: FuzzedService, send: Send, requests: FuzzRequest[]): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const request of requests) costs.push({ request, cpuMs: await costOf(service, send, request) })
  return costs
}

/** A request is as dear as its cheapest repetition: garbage of others is collected during any of them. */
async function costOf(service: FuzzedService, send: Send, request: FuzzRequest): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY
  for (let count = 0; count < REPEATS && cheapest > CPU_MS_MAX; count += 1)
    cheapest = Math.min(cheapest, await cpuOf(service, () => send(request)))
  return cheapest
}
