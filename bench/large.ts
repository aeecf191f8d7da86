import { type Case, type CaseName, makeCases } from './cases.ts'
import { peakRssMb, rssMb } from './machine.ts'
import { measure, measureInTurn, type Pair, type Target } from './measure.ts'
import type { Options } from './options.ts'
import {
  databaseHost,
  type Load,
  makeDataFolder,
  postmasterPid,
  type Service,
  seed,
  startService,
  withDatabase,
} from './processes.ts'

export const TIMES = 10
const COMPARED = ['one', 'list'] as const
/** The cases need some orders, but this shop measures products. */
const LARGE_ORDERS = 1000

export type Growth = {
  products: number
  megabytes: number
  /** Peak while the first list is sent, above the memory before it. */
  firstMb: number
  /** Peak while the second list is sent, above the memory after the first. */
  laterMb: number
}

export type TenTimes = { name: CaseName; title: string; small: Pair['first']; large: Pair['second'] }

export type Large = { growth: Growth; tenTimes: TenTimes[] }

/** A second shop, in a service and a database of its own, with ten times the products. */
export async function measureLarge(
  load: Load,
  small: Target,
  smallCases: Record<CaseName, Case>,
  options: Options,
): Promise<Large> {
  const products = options.products * TIMES
  const folder = await makeDataFolder()
  const service = await startService(folder)
  console.log(`Filling a second shop with ${products} products …`)
  await seed(folder, products, LARGE_ORDERS)
  const host = await databaseHost(folder)
  const cases = await withDatabase(host, async (client) => {
    await client.query('vacuum analyze')
    return makeCases(client, service.companyId)
  })
  const target: Target = { ...service, postmaster: await postmasterPid(folder) }
  const growth = await measureGrowth(load, service, cases, products)
  const tenTimes: TenTimes[] = []
  for (const name of COMPARED) {
    console.log(`Measuring ${cases[name].title} at ${options.products} and ${products} products …`)
    const pair = await measureInTurn(
      options.rounds,
      () => measure(load, small, smallCases[name], options),
      () => measure(load, target, cases[name], options),
    )
    tenTimes.push({ name, title: cases[name].title, small: pair.first, large: pair.second })
  }
  await service.stop()
  return { growth, tenTimes }
}

async function measureGrowth(
  load: Load,
  service: Service,
  cases: Record<CaseName, Case>,
  products: number,
): Promise<Growth> {
  console.log('Watching memory while the full list goes out …')
  const order = { url: service.address, token: service.token, connections: 1 }
  // Pages come first, so that the memory that any request needs is allocated before the list is read.
  await load({ ...order, requests: cases.list.requests, amount: 200 })
  const growths: number[] = []
  let megabytes = 0
  for (let nth = 0; nth < 2; nth += 1) {
    const before = rssMb(service.pid)
    const peak = await peakRssMb(service.pid, async () => {
      const result = await load({ ...order, requests: cases.full.requests, amount: 1 })
      if (result.requests !== 1 || result.failed > 0) throw new Error('the full list was not answered')
      megabytes = result.bytes / 1e6
    })
    growths.push(peak - before)
  }
  const [firstMb = Number.NaN, laterMb = Number.NaN] = growths
  return { products, megabytes, firstMb, laterMb }
}
