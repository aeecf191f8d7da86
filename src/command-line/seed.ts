import { type Command, InvalidArgumentError } from 'commander'
import { findCompany, readCompanyIds } from '#companies/queries.ts'
import { seedShop } from '#demo/seed.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import { command, print, type Terminal, wholeNumber } from './program.ts'
import { closeStore, openMigratedStore } from './store.ts'

type Options = { products: number; company?: number; seed: number; json?: boolean }

export function addSeed(program: Command, terminal: Terminal): void {
  command(program, 'seed', 'Fill a shop with products that look real.')
    .requiredOption('--products <n>', 'how many products', wholeNumber(0, 10_000_000))
    .option('--company <id>', 'the company to fill; the first one if absent', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--seed <n>', 'the same number makes the same products', wholeNumber(0, 4_294_967_295), 1)
    .action(async (options: Options) => {
      const store = await openMigratedStore(terminal.config())
      try {
        const companyId = options.company ?? (await readCompanyIds(store.db))[0]
        if (companyId === undefined || (await findCompany(store.db, companyId)) === undefined)
          throw new InvalidArgumentError(`There is no company ${companyId ?? 'yet'}.`)
        const started = Date.now()
        await seedShop(store.db, {
          companyId,
          products: options.products,
          seed: options.seed,
          now: nowInSeconds(systemClock),
          onProgress: progress(terminal, options.products),
        })
        const seconds = Math.round((Date.now() - started) / 100) / 10
        print(
          terminal,
          options.json,
          { company_id: companyId, products: options.products, seconds },
          `${options.products} products in ${seconds} seconds.`,
        )
      } finally {
        await closeStore(store)
      }
    })
}

/** Says how far it is, about twenty times in all, and to the error output so that results can be piped. */
function progress(terminal: Terminal, total: number): (done: number) => void {
  let said = 0
  return (done) => {
    if (done !== total && done - said < total / 20) return
    said = done
    terminal.err(`${done} of ${total} products`)
  }
}
