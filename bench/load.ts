// The load: reads one order a line, answers one result a line, and ends with its parent.
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import type { Asked } from './cases.ts'

export type Order = {
  url: string
  token: string
  connections: number
  requests: Asked[]
  /** How long, or how many requests. */
  seconds?: number
  amount?: number
}

export type LoadResult = {
  requests: number
  bytes: number
  perSecond: number
  megabytesPerSecond: number
  p50: number
  p99: number
  failed: number
}

/** The parts of a client that its types leave out. */
type Client = {
  setRequests(requests: object[]): void
  on(event: 'response', listener: (status: number, bytes: number) => void): void
  pipelinedRequests: { addBody(data: Buffer): void }
}

const SEQUENCE = 100
const TIMEOUT_SECONDS = 120

async function carryOut(order: Order): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' }
  const done = { requests: 0, bytes: 0, lastAt: 0 }
  const started = performance.now()
  const result = await autocannon({
    url: order.url,
    connections: order.connections,
    timeout: TIMEOUT_SECONDS,
    ...(order.amount === undefined ? { duration: order.seconds ?? 1 } : { amount: order.amount }),
    setupClient: (made) => {
      const client = made as unknown as Client
      // Bodies were compared beforehand; decoding megabytes of them here would take the core from PostgreSQL.
      client.pipelinedRequests.addBody = () => {}
      client.on('response', (_status, bytes) => {
        done.requests += 1
        done.bytes += bytes
        done.lastAt = performance.now()
      })
      // Each connection has a sequence of its own, built before the first request: nothing is made up on the way.
      const length = order.requests.length === 1 ? 1 : SEQUENCE
      client.setRequests(
        Array.from({ length }, () => ({
          ...order.requests[Math.floor(Math.random() * order.requests.length)],
          headers,
        })),
      )
    },
  })
  // Counted here: the tool's own totals are taken once a second and leave out the last one's rest.
  const seconds = (done.lastAt - started) / 1000
  return {
    requests: done.requests,
    bytes: done.bytes,
    perSecond: done.requests / seconds,
    megabytesPerSecond: done.bytes / seconds / 1e6,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await carryOut(JSON.parse(line) as Order)))
}
