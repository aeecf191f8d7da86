import type { Command } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { RowList } from '#platform/db/pages.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Author } from '#platform/identity/caller.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, type Terminal } from '../program.ts'

/** Shared by the commands for the terms of sale: tax rates, discount codes and shipping methods. */

export type Options = { company: number; json?: boolean }

/** An empty text is no number; the rules of the resource check the rest. */
export const decimal = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

export function group(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
}

export function ofCompany(parent: Command, name: string, description: string): Command {
  return command(parent, name, description).requiredOption('--company <id>', 'company whose terms they are', companyId)
}

/** Runs a change as the operator of a company that exists. */
export function change<Result>(
  terminal: Terminal,
  company: number,
  work: (tx: Tx, author: Author, now: Date) => Promise<Result>,
): Promise<Result> {
  const author = { companyId: company, origin: COMMAND_LINE }
  return withDatabase(terminal.config(), async (db) => {
    await getCompany(db, company)
    const now = await readCompanyTime(db, company)
    return inTransaction(db, (tx) => work(tx, author, now))
  })
}

/** Reads something of a company that exists. */
export function read<Result>(terminal: Terminal, company: number, work: (db: Db) => Promise<Result>): Promise<Result> {
  return withDatabase(terminal.config(), async (db) => {
    await getCompany(db, company)
    return work(db)
  })
}

const BATCH = 1000

/** Reads all entries of a list, page by page. A page has one row more if there is another one. */
export async function all<Row extends { id: number }>(list: RowList<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const batch = await list({ after: rows.at(-1)?.id ?? 0, limit: BATCH, offset: 0 })
    rows.push(...batch)
    if (batch.length <= BATCH) return rows
  }
}
