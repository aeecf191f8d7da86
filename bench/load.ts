// The load generator: reads one task per line, prints one result per line, and ends with its parent.
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

/** The parts of an autocannon client that its types omit. */
type Client = {
  setRequests(requests: object[]): void
  on(event: 'response', listener: (status: number, bytes: number) => void): void
  pipelinedRequests: { addBody(data: Buffer): void }
}

const SEQUENCE = 100
const TIMEOUT_SECONDS = 120
/** A number of requests ends with a sample, which would otherwise be taken once a second. */
const SAMPLE_MS = 50

async function carryOut(order: Order): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' }
  const done = { requests: 0, bytes: 0, lastAt: 0 }
  const started = performance.now()
  const result = await autocannon({
    url: order.url,
    connections: order.connections,
    timeout: TIMEOUT_SECONDS,
    ...(order.amount === undefined ? { duration: order.seconds ?? 1 } : { amount: order.amount, sampleInt: SAMPLE_MS }),
    setupClient: (made) => {
      const client = made as unknown as Client
      // Bodies were compared before; decoding megabytes of them here would take CPU time from PostgreSQL.
      client.pipelinedRequests.addBody = () => {}
      client.on('response', (_status, bytes) => {
        done.requests += 1
        done.bytes += bytes
        done.lastAt = performance.now()
      })
      // Each connection has its own sequence, built before the first request, so that building it is not measured.
      const length = order.requests.length === 1 ? 1 : SEQUENCE
      client.setRequests(
        Array.from({ length }, () => ({
          ...order.requests[Math.floor(Math.random() * order.requests.length)],
          headers,
        })),
      )
    },
  })
  // Counted here, because autocannon updates its totals once a second and omits the last part of a second.
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
  console.log(JSON.stringify(await carryOut(JSON.parse(line))))
}
