import type { Resource } from '#platform/resource.ts'
import { refreshLedgerEntries } from './commands.ts'
import { readLedgerEntryIds } from './queries.ts'
import { ledgerRoutes } from './routes.ts'
import { LedgerEntry } from './schema.ts'
import { ledgerStatementRoutes } from './statements/routes.ts'
import { LedgerBalance, LedgerMonth, LedgerStatement } from './statements/schema.ts'

export const ledger: Resource = {
  tags: [{ name: 'Ledger', description: 'What companies owe each other for products from the marketplace.' }],
  schemas: [LedgerEntry, LedgerBalance, LedgerMonth, LedgerStatement],
  routes: [ledgerRoutes, ledgerStatementRoutes],
  documents: [{ name: 'ledger_entries', readIds: readLedgerEntryIds, rewrite: refreshLedgerEntries }],
}
