import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Finding, figure, type Scale } from '../findings.ts'
import { type LoadedShop, metric } from '../load/run.ts'
import { type Answered, isServed, startTraffic } from '../load/traffic.ts'
import { failuresByStatus } from './failover.ts'
import { waitFor } from './processes.ts'
import type { Release, Site } from './site.ts'

const CALM_MS = 60_000

/** Requests of which the proxy knows that they can be sent again: reads, and changes with a key. Forms of guests have none. */
const isRepeatable = ({ kind }: Answered) => kind !== 'checkout'

/** Replaces workers and then services, one after the other, as docs/guides/upgrade.md says. */
export async function replaceAll(
  { workers, services }: Pick<Site, 'workers' | 'services'>,
  release: Release,
  pauseMs: number,
): Promise<void> {
  for (const member of [...workers, ...services]) {
    await member.replace(release)
    await sleep(pauseMs)
  }
}

/** What came while processes were replaced. `what` says of which occasion. */
export function replacementFindings(what: string, answers: readonly Answered[]): Finding[] {
  const failed = answers.filter((answer) => !isServed(answer))
  return [
    figure(`Requests during ${what}`, answers.length, ''),
    atMost(`Failed during ${what}: reads, and changes with a key`, failed.filter(isRepeatable).length, 0, 'requests'),
    figure(`Failed during ${what}: checkouts of guests`, failed.filter((each) => !isRepeatable(each)).length, ''),
  ]
}

/** Services that have just lost their database take requests on again step by step. */
async function untilNothingIsRefused({ services }: Site): Promise<void> {
  for (const { url } of services) {
    const isCalm = async () => (await metric({ address: async () => url }, 'licet_shedding_level')) === 0
    await waitFor('nothing is refused any more', isCalm, CALM_MS)
  }
}

/** Restarts every process with SIGTERM, while requests come through nginx. */
export async function proveRestarts(
  { requests }: LoadedShop,
  site: Site,
  release: Release,
  { isShort, onProgress }: Scale,
): Promise<Finding[]> {
  await untilNothingIsRefused(site)
  const traffic = startTraffic(requests, isShort ? 5 : 30)
  const pauseMs = isShort ? 200 : 5000
  await sleep(pauseMs)
  // A start takes a second of processor time.
  const { workers, services } = site
  await replaceAll(isShort ? { workers: [], services: services.slice(0, 1) } : { workers, services }, release, pauseMs)
  await traffic.stop()
  onProgress(`restarted; failures by status: ${failuresByStatus(traffic.answered)}`)
  return replacementFindings('a rolling restart', traffic.answered)
}
