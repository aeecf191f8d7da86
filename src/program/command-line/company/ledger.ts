import type { Command } from 'commander'
import { withDatabase } from '#program/boot/store.ts'
import { presentLedgerEntry } from '#selling/ledger/present.ts'
import { latestLedgerEntries, readBalances } from '#selling/ledger/queries.ts'
import type { LedgerEntry } from '#selling/ledger/schema.ts'
import type { Balance } from '#selling/ledger/state.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'

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
      const text = entries.length === 0 ? 'Nothing is booked.' : `${ofBalances(balances)}\n\n${ofEntries(entries)}`
      print(terminal, options.json, { balances, ledger_entries: entries }, text)
    })
}

const money = (cents: number) => (cents / 100).toFixed(2)

function ofBalances(balances: Balance[]): string {
  return table(balances, '', {
    'With company': ({ counterpart_id }) => counterpart_id,
    Balance: ({ amount }) => money(amount),
    Currency: ({ currency }) => currency,
    Meaning: ({ amount }) => (amount === 0 ? 'even' : amount > 0 ? 'to receive' : 'to pay'),
  })
}

function ofEntries(entries: LedgerEntry[]): string {
  return table(entries, '', {
    Id: ({ id }) => id,
    Booked: ({ created_at }) => created_at,
    Kind: ({ kind }) => kind,
    Amount: ({ amount }) => money(amount),
    Currency: ({ currency }) => currency,
    Order: ({ order_id }) => order_id,
    'Sold by': ({ selling_company_id }) => selling_company_id,
    'With company': ({ counterpart_id }) => counterpart_id,
    Quantity: ({ quantity }) => quantity,
    Product: ({ title }) => title,
  })
}
