import type { Command } from 'commander'
import { readCompanyIds } from '#identity/companies/queries.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { withDatabase } from '#program/boot/store.ts'
import { rebuildStatistics } from '#selling/orders/counts/reset.commands.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, print, type Terminal } from '../program.ts'
import { group } from './terms.ts'

export function addStatistics(program: Command, terminal: Terminal): void {
  const statistics = group(program, 'statistics', 'The statistics of companies.')

  command(
    statistics,
    'rebuild',
    'Count all orders, abandoned carts, uses and subscriptions from scratch; orders and uses by the time zone, and orders by the country, that the company has now. The service can run meanwhile.',
  )
    .option('--company <id>', 'of this company only', companyId)
    .action(async (options: { company?: number; json?: boolean }) => {
      const { correctSubscriptionDays } = await import('#selling/subscriptions/statistics/commands.ts')
      const { correctCartDays } = await import('#shop/checkout/abandoned/commands.ts')
      const { correctUsageDays } = await import('#rights/entitlements/uses/commands.ts')
      const orders = await withDatabase(terminal.config(), async (db) => {
        if (options.company !== undefined) await getCompany(db, options.company)
        let count = 0
        for (const id of options.company === undefined ? await readCompanyIds(db) : [options.company]) {
          count += await rebuildStatistics(db, id)
          await inTransaction(db, (tx) => correctCartDays(tx, id))
          await inTransaction(db, (tx) => correctSubscriptionDays(tx, id))
          const now = await readCompanyTime(db, id)
          await inTransaction(db, (tx) => correctUsageDays(tx, id, now))
        }
        return count
      })
      print(terminal, options.json, { orders }, `Counted ${orders} orders.`)
    })
}
