import { type Command, InvalidArgumentError, Option } from 'commander'
import { findCompany, readCompanyIds } from '#identity/companies/queries.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { hasVisits } from '#insight/visits/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import { command, print, type Terminal, wholeNumber } from './program.ts'
import { withProgress } from './terminal/progress.ts'

type Options = {
  products?: number
  orders?: number
  visits?: number
  force?: boolean
  company?: number
  seed: number
  json?: boolean
}

/** Enough for charts that look real, and few enough to be there in seconds. */
const VISITS = 100_000

export function addSeed(program: Command, terminal: Terminal): void {
  command(program, 'seed', 'Fill a shop with products, orders and visits that look real.')
    .option('--products <n>', 'how many products', wholeNumber(0, 10_000_000))
    .option('--orders <n>', 'how many orders, over the last two years', wholeNumber(0, 10_000_000))
    .addOption(
      new Option('--visits [n]', `how many visits, over the last two years; ${VISITS} if you name no number`)
        .argParser(wholeNumber(0, 10_000_000))
        .preset(String(VISITS)),
    )
    .option('--force', 'add visits to those of a company that has some')
    .option('--company <id>', 'the company to fill; the first one if absent', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--seed <n>', 'the same number makes the same products and orders', wholeNumber(0, 4_294_967_295), 1)
    .action(async (options: Options) => {
      const { products, orders, visits } = options
      if (products === undefined && orders === undefined && visits === undefined)
        throw new InvalidArgumentError('How many --products, --orders or --visits?')
      const store = await openMigratedStore(terminal.config())
      try {
        const companyId = options.company ?? (await readCompanyIds(store.db))[0]
        if (companyId === undefined || (await findCompany(store.db, companyId)) === undefined)
          throw new InvalidArgumentError(`There is no company ${companyId ?? 'yet'}.`)
        const started = Date.now()
        const filled = await fill(store.db, companyId, options, terminal)
        const seconds = Math.round((Date.now() - started) / 100) / 10
        const what = Object.entries(filled).map(([name, count]) => `${count} ${name}`)
        print(
          terminal,
          options.json,
          { company_id: companyId, ...filled, seconds },
          `${what.join(' and ')} in ${seconds} seconds.`,
        )
      } finally {
        await closeStore(store)
      }
    })
}

async function fill(db: Db, companyId: number, options: Options, terminal: Terminal) {
  const { products, orders, visits, seed, json } = options
  const [{ seedShop }, { seedOrders }, { readCatalog }, { seedVisits }] = await Promise.all([
    import('#program/demo/seed.ts'),
    import('#program/demo/orders.ts'),
    import('#program/demo/sales.ts'),
    import('#program/demo/visits.ts'),
  ])
  const now = await readCompanyTime(db, companyId)
  if (visits !== undefined && options.force !== true && (await hasVisits(db, companyId)))
    throw new InvalidArgumentError(`Company ${companyId} has visits already. Add --force to mix yours with them.`)
  if (products !== undefined)
    await withProgress(terminal, { what: 'products', total: products, json }, (onProgress) =>
      seedShop(db, { companyId, products, seed, now, onProgress }),
    )
  if (orders !== undefined && orders > 0) {
    const catalog = await readCatalog(db, companyId, now)
    if (catalog.linesFor.size === 0)
      throw new InvalidArgumentError(`Company ${companyId} has no products that could be ordered: add --products.`)
    await withProgress(terminal, { what: 'orders', total: orders, json }, (onProgress) =>
      seedOrders(db, catalog, { orders, seed, now, onProgress }),
    )
  }
  if (visits !== undefined) {
    const catalog = await readCatalog(db, companyId, now)
    await withProgress(terminal, { what: 'visits', total: visits, json }, (onProgress) =>
      seedVisits(db, catalog, { visits, seed, now, onProgress }),
    )
  }
  return {
    ...(products === undefined ? {} : { products }),
    ...(orders === undefined ? {} : { orders }),
    ...(visits === undefined ? {} : { visits }),
  }
}
