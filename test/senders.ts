import { after } from 'node:test'
import { createSender, type SenderOptions } from '#apps/webhooks/sender/sender.worker.ts'
import { openDatabase } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound, type OutboundOptions } from '#platform/outbound/outbound.ts'
import type { Service } from './harness.ts'

export type RunningSender = Loop & {
  log: string[]
  /** How often it has taken a connection: once for each transaction, and for each statement outside of one. */
  turns(): number
}

export type Pauses = ReturnType<typeof createPauses>

/** Pauses that end when the test says so. */
export function createPauses() {
  const pausing = new Map<() => void, number>()
  return {
    pause: (ms: number, signal: AbortSignal) =>
      new Promise<void>((end) => {
        pausing.set(end, ms)
        signal.addEventListener('abort', () => end(), { once: true })
      }),
    /** The lengths of the pauses that have begun and not ended. */
    lengths: () => [...pausing.values()],
    /** Ends the pauses of a length. */
    end(ms: number): void {
      for (const [end, length] of pausing) if (length === ms && pausing.delete(end)) end()
    },
  }
}

/** Starts a sender as a worker process of its own would have it: with its own connections. It ends with the test. */
export function startSender(
  { database, clock, files, vault }: Service,
  { waits = {}, ...options }: SenderOptions & { waits?: NonNullable<OutboundOptions['waits']> } = {},
): RunningSender {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const { db, pool, close } = openDatabase(database.connection, { poolMax: 10 })
  const notices = createNotices(pool, log)
  const outbound = createOutbound({ allowed: { loopback: true, networks: [] }, waits })
  const shared = { db, notices, vault, clock, log, files, outbound, metrics: createMetrics() }
  const sender = createSender(
    {
      ...shared,
      dns: createDns(),
      ownHost: 'localhost',
      uploadFolder: '.uploads',
      currencyRatesUrl: '',
      serviceUrls: { gateways: {}, vies: '' },
      baseUrl: 'http://localhost',
    },
    options,
  )
  let turns = 0
  pool.on('acquire', () => {
    turns += 1
  })
  notices.start()
  sender.start()
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= (async () => {
      await sender.stop()
      await notices.stop()
      await outbound.close()
      await close()
    })()
    return stopping
  }
  after(stop)
  return { ...sender, stop, log: lines, turns: () => turns }
}
