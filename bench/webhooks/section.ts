import { makeCases } from '../cases.ts'
import { costFigures, type Figure, type Measured } from '../figures.ts'
import type { Options } from '../options.ts'
import { startLoad } from '../processes.ts'
import { postmasterPid, type Service, startFilled, startService, withDatabase } from '../services.ts'
import { type Crowd, measureCrowd, type Sent } from './crowd.ts'
import { type EventCost, measureEventCost } from './event-cost.ts'
import { type Latency, measureLatency } from './latency.ts'
import { startReceiver } from './receiver.ts'
import { webhookLines } from './report.ts'
import { openStage } from './stage.ts'
import { COMPARED, measureThroughput, type Throughput } from './throughput.ts'

export type Webhooks = { throughput: Throughput[]; latency: Latency; crowd: Crowd; eventCost: EventCost }

const [DELIVERIES, WARM_UP] = [20_000, 4000]
const SMOKE_DELIVERIES = 100
const [PRODUCTS, ORDERS] = [500, 500]

/** Measures what webhooks cost and how fast they are, on databases of their own. */
export async function measureWebhooks(options: Options): Promise<Measured> {
  const { smoke, rounds } = options
  const receiver = await startReceiver()
  const stage = await openStage(smoke)
  console.log('Measuring the throughput of webhooks …')
  const [deliveries, warmUp] = smoke ? [SMOKE_DELIVERIES, SMOKE_DELIVERIES] : [DELIVERIES, WARM_UP]
  const throughput = await measureThroughput(stage, receiver, { deliveries, warmUp, rounds })
  console.log('Measuring webhooks of which half are dead …')
  const crowd = await measureCrowd(stage, receiver, options)
  await stage.worker.stop()

  console.log('Measuring the way from a change to the receiver …')
  const { folder, host, service } = await startFilled({ products: PRODUCTS, orders: ORDERS }, smoke)
  const latency = await measureLatency(service, receiver, smoke)

  console.log('Measuring what the event costs an order …')
  const quiet = smoke ? service : await restart(folder, service)
  const eventCost = await withDatabase(host, async (client) => {
    const { order } = await makeCases(client, quiet.companyId)
    const target = { ...quiet, postmaster: await postmasterPid(folder) }
    return measureEventCost(startLoad(), target, order, client, options)
  })
  const webhooks = { throughput, latency, crowd, eventCost }
  return { figures: figuresOf(webhooks), lines: webhookLines(webhooks), details: webhooks }
}

/** Without a worker, which would do something with the events while their cost is measured. */
async function restart(folder: string, service: Service): Promise<Service> {
  await service.stop()
  return startService(folder, ['--no-worker'])
}

function figuresOf({ throughput, latency, crowd, eventCost }: Webhooks): Figure[] {
  const beside = (name: string, sent: Sent): Figure => ({
    name,
    compared: crowd.deliveries,
    ratio: crowd.alone.seconds / sent.seconds,
    ...costFigures(crowd.alone, sent),
  })
  return [
    ...throughput.map(({ name, perSecond, floorPerSecond, cpuMs, floorCpuMs, databaseMs }) => ({
      name,
      compared: 2 * COMPARED,
      ratio: perSecond / floorPerSecond,
      cpuRatio: floorCpuMs / cpuMs,
      cpuMs,
      databaseMs,
    })),
    beside('crowd-new', crowd.withNew),
    beside('crowd-failing', crowd.withFailing),
    { name: 'latency', compared: latency.changes },
    {
      name: 'event',
      compared: 1,
      ratio: eventCost.with.perSecond / eventCost.without.perSecond,
      ...costFigures(eventCost.without, eventCost.with),
    },
  ]
}
