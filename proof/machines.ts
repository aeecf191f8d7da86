import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataFolder } from '#bench/processes.ts'
import { type Finding, holds, type Part, type Scale } from './findings.ts'
import { type LoadedShop, onShop } from './load/run.ts'
import { proveAgreement } from './machines/agreement.ts'
import { type Cluster, startCluster } from './machines/cluster.ts'
import { proveFailover } from './machines/failover.ts'
import { type FileStore, openFileStore } from './machines/file-store.ts'
import { provePointInTime } from './machines/point-in-time.ts'
import { proveRestarts } from './machines/restarts.ts'
import { reserveUrl, type Site, startSite, THIS_RELEASE } from './machines/site.ts'
import { proveThroughput } from './machines/throughput.ts'
import { findTools, type Tools } from './machines/tools.ts'
import { proveUpgrade } from './machines/upgrade.ts'

/** Its short forms are proof/machines.test.ts and proof/machines/point-in-time.test.ts. */
export const machines: Part = {
  title: 'Many machines',
  about: `Three machines with PostgreSQL, Patroni and etcd, in synchronous mode, each with a loopback address of its own, HAProxy that
leads to the primary, two services behind nginx, and two workers, all with the files of deploy/. While the mix of a working shop comes,
and forty orders a second beside it, all that runs on the machine of the primary is killed, etcd included, again and again. Then two
machines are lost at once, PostgreSQL alone is killed, the primary is moved on purpose, and every process of the service is restarted.
It is measured how soon a service knows what another one has changed, and how much more is read with more services. In a shop of its
own, the program is upgraded from an earlier commit. The whole cluster is brought back to a time before a mistake with pgBackRest. All
of it shares one machine, so that throughput says how its cores are shared, and not what a second machine would add. At the end, the
ledger of the load is compared with what is stored.`,
  async prove(scale) {
    const tools = findTools()
    if ('missing' in tools) throw new Error(`The part "machines" cannot run: ${tools.missing}.`)
    const { isShort } = scale
    const nodes = isShort ? (['one', 'two'] as const) : (['one', 'two', 'three'] as const)
    const cluster = await startCluster(tools, { nodes, voters: isShort ? ['three'] : nodes, isHasty: isShort })
    scale.onProgress('the cluster is whole')
    return proveAll(tools, cluster, await openFileStore(isShort), scale)
  },
}

async function proveAll(tools: Tools, cluster: Cluster, files: FileStore, scale: Scale): Promise<Finding[]> {
  const { isShort } = scale
  const folder = join(await makeDataFolder(), 'data')
  await mkdir(folder)
  const url = await reserveUrl()
  const shared = {
    ...files.settings,
    LICET_DATA: folder,
    LICET_SECRET: 'a secret that the machines of the proof share',
  }
  const settings = { ...shared, ...(await cluster.settingsOf('licet')), LICET_BASE_URL: url }
  const { nginx } = tools
  const start = async (complete: NodeJS.ProcessEnv) => {
    const site = await startSite(url, {
      nginx,
      settings: complete,
      release: THIS_RELEASE,
      services: 2,
      workers: isShort ? 1 : 2,
    })
    return { site, address: async () => url, end: site.end }
  }
  const size = isShort ? { films: 3, customers: 2, rare: 3 } : { films: 50, customers: 50, rare: 100 }
  const findings = await onShop({ ...size, settings, start, hasKeys: true }, (shop, { site }) =>
    proveSite({ shop, site, cluster, nginx }, scale),
  )
  if (isShort) return [about(tools, files), ...findings]
  const before = { ...shared, ...(await cluster.settingsOf('before')) }
  const upgraded = await proveUpgrade(nginx, before, scale)
  const broughtBack = await provePointInTime(tools, cluster, await cluster.settingsOf('mistaken'), scale)
  return [about(tools, files), ...findings, ...upgraded, ...broughtBack]
}

function about({ postgresVersion }: Tools, { name }: FileStore): Finding {
  return { what: 'Database and files', figure: `${postgresVersion}; ${name}`, isMet: true }
}

type Running = { shop: LoadedShop; site: Site; cluster: Cluster; nginx: string }

async function proveSite({ shop, site, cluster, nginx }: Running, scale: Scale): Promise<Finding[]> {
  const failover = await proveFailover(shop, cluster, scale)
  const restarts = await proveRestarts(shop, site, THIS_RELEASE, scale)
  const agreement = await proveAgreement(shop, site.services, scale)
  const services = [...site.services, ...(scale.isShort ? [] : await site.addServices(2))]
  const throughput = await proveThroughput(shop, nginx, services, scale)
  const mistakes = await shop.settle()
  for (const mistake of mistakes) scale.onProgress(JSON.stringify(mistake))
  const isLost = ({ what, found }: { what: string; found: unknown }) =>
    /answered with success$/.test(what) && found === 0
  return [
    ...failover,
    ...restarts,
    ...agreement,
    ...throughput,
    holds('No order that was answered with success is lost', !mistakes.some(isLost)),
    holds('Everything that is stored is as the ledger says', mistakes.length === 0),
  ]
}
