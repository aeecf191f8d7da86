import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#platform/settings/config.ts'
import { openVault } from '#program/boot/secret.ts'
import { type MigratedStore, openStore } from '#program/boot/store.ts'
import { type Finding, holds, type Scale } from '../findings.ts'
import { onShop } from '../load/run.ts'
import { startTraffic } from '../load/traffic.ts'
import { failuresByStatus } from './failover.ts'
import { checkOutEarlier } from './releases.ts'
import { replaceAll, replacementFindings } from './restarts.ts'
import { reserveUrl, runLicet, startSite, THIS_RELEASE } from './site.ts'

/** Opens the database with the schema that it has. */
async function openAsItIs(config: Config): Promise<MigratedStore> {
  const store = await openStore(config)
  return { ...store, vault: await openVault(config, store.db) }
}

const PAUSE_MS = 5000
const PER_SECOND = 20

/**
 * Upgrades from an earlier commit to this one as docs/guides/upgrade.md says, under load: first the schema, then the workers, then the
 * services, and afterwards one process back again, because the earlier program runs on the new schema.
 */
export async function proveUpgrade(
  nginx: string,
  settings: NodeJS.ProcessEnv,
  { from, onProgress }: Scale,
): Promise<Finding[]> {
  const earlier = await checkOutEarlier(from)
  const what = 'A rolling upgrade from an earlier commit'
  if ('missing' in earlier) return [{ what, figure: `not run: ${earlier.missing}`, isMet: true }]
  const { release, commit, since } = earlier
  onProgress(`upgrade from ${commit.slice(0, 9)}, without ${since.join(', ')}`)
  const url = await reserveUrl()
  const own = { ...settings, LICET_BASE_URL: url }
  const start = async (complete: NodeJS.ProcessEnv) => {
    const site = await startSite(url, { nginx, settings: complete, release, services: 2, workers: 2 })
    return { site, address: async () => url, end: site.end }
  }
  await runLicet(release, ['migrate'], own)
  return onShop(
    { settings: own, films: 20, customers: 20, rare: 50, start, hasKeys: true, open: openAsItIs },
    async (shop, { site }) => {
      const traffic = startTraffic(shop.requests, PER_SECOND)
      await sleep(PAUSE_MS)
      await runLicet(THIS_RELEASE, ['migrate'], own)
      onProgress('the schema is that of this commit')
      await sleep(PAUSE_MS)
      await replaceAll(site, THIS_RELEASE, PAUSE_MS)
      await site.services[0]?.replace(release)
      await sleep(PAUSE_MS)
      await site.services[0]?.replace(THIS_RELEASE)
      await traffic.stop()
      onProgress(`upgraded; failures by status: ${failuresByStatus(traffic.answered)}`)
      const mistakes = await shop.settle()
      for (const mistake of mistakes) onProgress(JSON.stringify(mistake))
      return [
        { what, figure: `from ${commit.slice(0, 9)}, ${since.length} migrations`, isMet: true },
        ...replacementFindings('a rolling upgrade', traffic.answered),
        holds('Everything that is stored after it is as the ledger says', mistakes.length === 0),
      ]
    },
  )
}
