import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { createMollieServer, type FakeMollie } from '#test/mollie.ts'

/** The gateway of a shop under load: a server that speaks Mollie's API, where guests pay, and its news of that. */
export type LoadGateway = {
  /** Its own ledger of what was charged. */
  mollie: FakeMollie
  /** A guest pays on the page of the gateway, which tells the service of it, now and then twice. */
  pay(id: string): void
  /** Resolves when the service has acknowledged all news. */
  told(): Promise<void>
  stop(): void
}

type Options = {
  companyId: number
  random: () => number
  /** Where the service is; it has another port after each start. */
  address: () => Promise<string>
}

export type StartedGateway = { mollie: FakeMollie; open(options: Options): LoadGateway; stop(): void }

const TWICE = 0.3
const AGAIN_MS = 200
const PATIENCE_MS = 300_000
const TIMEOUT_MS = 30_000

export async function startGateway(): Promise<StartedGateway> {
  const { mollie, start, stop } = createMollieServer(() => new Date())
  await start()
  return { mollie, open: (options) => openGateway(mollie, options, stop), stop }
}

function openGateway(mollie: FakeMollie, { companyId, random, address }: Options, stop: () => void): LoadGateway {
  const news = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function isHeard(id: string): Promise<boolean> {
    try {
      const { statusCode, body } = await request(`${await address()}/payments/${companyId}/mollie`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mollie HTTP client/1.0' },
        body: `id=${id}`,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await body.dump()
      return statusCode === 200
    } catch {
      return false
    }
  }

  /** Repeats what was not acknowledged, as Mollie does. */
  async function tell(id: string): Promise<void> {
    while (!stopping.signal.aborted && !(await isHeard(id))) await sleep(AGAIN_MS)
  }

  return {
    mollie,
    pay(id) {
      mollie.change(id, { status: 'paid', method: 'ideal' })
      const times = random() < TWICE ? 2 : 1
      for (let time = 0; time < times; time += 1) {
        const told = tell(id).finally(() => news.delete(told))
        news.add(told)
      }
    },
    async told() {
      const deadline = performance.now() + PATIENCE_MS
      while (news.size > 0) {
        if (performance.now() > deadline) throw new Error(`${news.size} payments could not be told of`)
        await sleep(AGAIN_MS / 4)
      }
    },
    stop() {
      stopping.abort()
      stop()
    },
  }
}
