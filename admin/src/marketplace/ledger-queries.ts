import type { Schemas } from '@licet/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage } from '../ui/lists/pages.ts'

export type LedgerEntry = Schemas['LedgerEntry']
export type LedgerBalance = Schemas['LedgerBalance']
export type LedgerMonth = Schemas['LedgerMonth']
export type Statement = Schemas['LedgerStatement']

export const balancesQuery = queryOptions({
  queryKey: ['ledger', 'balances'],
  queryFn: ({ signal }) => firstPage(api.ledgerBalances.list(undefined, { signal })),
})

export const monthsQuery = queryOptions({
  queryKey: ['ledger', 'months'],
  queryFn: ({ signal }) => firstPage(api.ledgerStatements.list(undefined, { signal })),
})

const LATEST = 20

export const latestQuery = queryOptions({
  queryKey: ['ledger', 'latest'],
  queryFn: ({ signal }) => firstPage(api.ledgerEntries.list({ limit: LATEST, sort: '-id' }, { signal })),
})

/** What a statement shows at most; its file has all. */
export const ENTRIES_MAX = 1000

export function statementQuery(month: string) {
  return queryOptions({
    queryKey: ['ledger', 'statement', month],
    queryFn: async ({ signal }) => {
      const statement = await api.ledgerStatements.get(month, {}, { signal })
      const entries: LedgerEntry[] = []
      const span = { created_at_min: statement.from, created_at_max: statement.to, limit: 250 }
      for await (const entry of api.ledgerEntries.list(span, { signal })) {
        entries.push(entry)
        if (entries.length === ENTRIES_MAX) break
      }
      return { statement, entries }
    },
  })
}

/** The file with all entries of a month, or of all time. */
export function csvAddress(month?: Pick<Statement, 'from' | 'to'>): string {
  const span = month === undefined ? {} : { created_at_min: month.from, created_at_max: month.to }
  return `/admin/api/ledger_entries.json?${new URLSearchParams({ ...span, format: 'csv' })}`
}
