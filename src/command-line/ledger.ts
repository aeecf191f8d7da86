import type { Command } from 'commander'
import { withDatabase } from '#boot/store.ts'
import { presentLedgerEntry } from '#ledger/present.ts'
import { latestLedgerEntries, readBalances } from '#ledger/queries.ts'
import type { LedgerEntry } from '#ledger/schema.ts'
import type { Balance } from '#ledger/state.ts'
import { companyId, getCompany } from './administration.ts'
import { command, plain, print, type Terminal, wholeNumber } from './program.ts'

const LIMIT = 50
const LIMIT_MAX = 1000

export function addLedger(program: Command, terminal: Terminal): void {
  command(program, 'ledger', 'List what a company and others owe each other for mirrored products, newest first.')
    .requiredOption('--company <id>', 'company whose ledger it is', companyId)
    .option('--limit <number>', 'list at most so many entries', wholeNumber(1, LIMIT_MAX), LIMIT)
    .action(async (options: { company: number; limit: number; json?: boolean }) => {
      const { balances, entries } = await withDatabase(terminal.config(), async (db) => {
        await getCompany(db, options.company)
        const [balances, latest] = await Promise.all([
          readBalances(db, options.company),
          latestLedgerEntries(db, options.company, options.limit),
        ])
        return { balances, entries: latest.map(presentLedgerEntry) }
      })
      const lines = [...balances.map(balanceLine), ...entries.map(entryLine)]
      print(
        terminal,
        options.json,
        { balances, ledger_entries: entries },
        lines.length === 0 ? 'Nothing is booked.' : lines.join('\n'),
      )
    })
}

const money = (cents: number, currency: string) => `${(cents / 100).toFixed(2)} ${currency}`

function balanceLine({ counterpart_id, currency, amount }: Balance): string {
  if (amount === 0) return `Company ${counterpart_id}: even in ${currency}`
  return amount > 0
    ? `Company ${counterpart_id}: gets ${money(amount, currency)} from it`
    : `Company ${counterpart_id}: owes it ${money(-amount, currency)}`
}

function entryLine(entry: LedgerEntry): string {
  const what = `order #${entry.order_id} of company ${entry.selling_company_id}`
  const parts = [
    String(entry.id),
    entry.created_at,
    entry.kind,
    money(entry.amount, entry.currency),
    `${entry.quantity} × ${entry.title}`,
    `${what}, company ${entry.counterpart_id}`,
  ]
  return plain(parts.join('  '))
}
