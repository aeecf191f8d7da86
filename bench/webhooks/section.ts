import { makeCases } from '../cases.ts'
import type { Options } from '../options.ts'
import {
  databaseHost,
  makeDataFolder,
  postmasterPid,
  seed,
  startLoad,
  startService,
  withDatabase,
} from '../processes.ts'
import { type Crowd, measureCrowd } from './crowd.ts'
import { type EventCost, measureEventCost } from './event-cost.ts'
import { type Latency, measureLatency } from './latency.ts'
import { startReceiver } from './receiver.ts'
import { openStage } from './stage.ts'
import { measureThroughput, type Throughput } from './throughput.ts'

export type Webhooks = { throughput: Throughput[]; latency: Latency; crowd: Crowd; eventCost: EventCost }

const DELIVERIES = 20_000
const [PRODUCTS, ORDERS] = [500, 500]

/** Measures what webhooks cost and how fast they are, on databases of their own. */
export async function measureWebhooks(options: Options): Promise<Webhooks> {
  const { rounds } = options
  const receiver = await startReceiver()
  const stage = await openStage()
  console.log('Measuring the throughput of webhooks …')
  const throughput = await measureThroughput(stage, receiver, { deliveries: DELIVERIES, rounds })
  console.log('Measuring 10,000 webhooks of which half are dead …')
  const crowd = await measureCrowd(stage, receiver, rounds)
  await stage.worker.stop()

  console.log('Measuring the way from a change to the receiver …')
  const folder = await makeDataFolder()
  const service = await startService(folder)
  const latency = await measureLatency(service, receiver)
  await service.stop()

  console.log('Measuring what the event costs an order …')
  const quiet = await startService(folder, ['--no-worker'])
  await seed(folder, PRODUCTS, ORDERS)
  const postmaster = await postmasterPid(folder)
  const eventCost = await withDatabase(await databaseHost(folder), async (client) => {
    const { order } = await makeCases(client, quiet.companyId)
    return measureEventCost(startLoad(), { ...quiet, postmaster }, order, client, options)
  })
  return { throughput, latency, crowd, eventCost }
}
