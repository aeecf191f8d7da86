import type { Resource } from '#platform/resource.ts'
import { refreshLedgerEntries } from './commands.ts'
import { readLedgerEntryIds } from './queries.ts'
import { ledgerRoutes } from './routes.ts'
import { LedgerEntry } from './schema.ts'

export const ledger: Resource = {
  tags: [{ name: 'Ledger', description: 'What companies owe each other for products from the marketplace.' }],
  schemas: [LedgerEntry],
  routes: [ledgerRoutes],
  documents: [{ name: 'ledger_entries', readIds: readLedgerEntryIds, rewrite: refreshLedgerEntries }],
}
