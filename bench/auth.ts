import type { Asked } from './cases.ts'
import { measure, measureInTurn, type Target } from './measure.ts'
import type { Options } from './options.ts'
import type { Load } from './processes.ts'

const get = (path: string): Asked => ({ method: 'GET', path })

/** Two routes that do not use the database: one is public, the other checks the token, the rate limit and the scope. */
const OPEN = { name: 'one', title: 'public route', requests: [get('/health')], connectionsMax: 10_000 } as const
const GUARDED = { ...OPEN, title: 'route with a token', requests: [get('/api/tokeninfo')] } as const

/** `costUs` is the CPU time in microseconds that checking a token adds to a request. */
export type AuthCost = { openMs: number; guardedMs: number; costUs: number }

export async function measureAuth(load: Load, service: Target, options: Options): Promise<AuthCost> {
  console.log('Measuring what a token costs …')
  const pair = await measureInTurn(
    Math.max(options.rounds, 3),
    () => measure(load, service, { ...OPEN, requests: [...OPEN.requests] }, options),
    () => measure(load, service, { ...GUARDED, requests: [...GUARDED.requests] }, options),
  )
  const [openMs, guardedMs] = [pair.first.cpuMs, pair.second.cpuMs]
  return { openMs, guardedMs, costUs: (guardedMs - openMs) * 1000 }
}
