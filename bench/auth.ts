import type { Asked } from './cases.ts'
import { costFigures, type Figure } from './figures.ts'
import { measure, measureInTurn, type Target } from './measure.ts'
import type { Options } from './options.ts'
import type { Load } from './processes.ts'
import { aimLine, number } from './report.ts'
import { fetchBody } from './verify.ts'

const TOKEN_US_MAX = 20

const get = (path: string): Asked => ({ method: 'GET', path })

/** Two routes that do not use the database: one is public, the other checks the token, the rate limit and the scope. */
const OPEN = { title: 'public route', requests: [get('/health')], connectionsMax: 10_000 }
const GUARDED = { ...OPEN, title: 'route with a token', requests: [get('/api/tokeninfo')] }

/** What checking a token costs, in CPU time of the service. */
export async function measureAuth(
  load: Load,
  service: Target,
  options: Options,
): Promise<{ figure: Figure; lines: string[] }> {
  console.log('Measuring what a token costs …')
  for (const { requests } of [OPEN, GUARDED]) for (const asked of requests) await fetchBody(service, asked)
  const { first, second } = await measureInTurn(
    options.smoke ? 1 : Math.max(options.rounds, 3),
    () => measure(load, service, OPEN, options),
    () => measure(load, service, GUARDED, options),
  )
  const { cpuRatio, cpuMs } = costFigures(first, second)
  return {
    figure: { name: 'token', compared: 2, ratio: second.perSecond / first.perSecond, cpuRatio, cpuMs },
    lines: [
      aimLine(
        'CPU of a warm token, its limit and its scope',
        (second.cpuMs - first.cpuMs) * 1000,
        ' µs',
        TOKEN_US_MAX,
        1,
      ),
      `  open ${number(first.cpuMs, 4)} ms, guarded ${number(second.cpuMs, 4)} ms`,
    ],
  }
}
