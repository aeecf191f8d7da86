import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { importKeys } from '#rights/software-keys/import.commands.ts'
import { countKeys } from '#rights/software-keys/queries.ts'
import { KEY_MAX, KEYS_MAX } from '#rights/software-keys/schema.ts'
import { getCompany } from '../administration.ts'
import { plain, print, type Terminal } from '../program.ts'
import { group, type Options, ofCompany, read } from './terms.ts'

type ListOptions = Options & { product: string }

/** One key on each line; empty lines are skipped. */
async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`${plain(path)} cannot be read.`, 2)
  })
  const keys = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (keys.length === 0) throw new StartError(`${plain(path)} has no keys.`, 2)
  const long = keys.find((key) => key.length > KEY_MAX)
  if (long !== undefined)
    throw new StartError(`A key has more than ${KEY_MAX} characters: ${plain(long.slice(0, 20))}…`, 2)
  return keys
}

export function addKeys(program: Command, terminal: Terminal): void {
  const keys = group(program, 'keys', 'Keys of software.')

  ofCompany(keys, 'import', 'Add keys to the list of a product, from a file with one key on each line.')
    .argument('<file>', 'file to read')
    .requiredOption('--product <id>', 'software, by its id or product_id')
    .action(async (file: string, { company, json, product }: ListOptions) => {
      const lines = await readLines(file)
      const author = { companyId: company, origin: COMMAND_LINE }
      const { imported, duplicates } = await withDatabase(terminal.config(), async (db) => {
        await getCompany(db, company)
        const total = { imported: 0, duplicates: 0 }
        for (let at = 0; at < lines.length; at += KEYS_MAX) {
          const part = lines.slice(at, at + KEYS_MAX)
          const now = await readCompanyTime(db, company)
          const { state } = await inTransaction(db, (tx) => importKeys(tx, author, product, part, now))
          total.imported += state.imported
          total.duplicates += state.duplicates.length
        }
        return total
      })
      const left = duplicates === 0 ? '' : ` ${duplicates} ${duplicates === 1 ? 'was' : 'were'} there already.`
      print(terminal, json, { imported, duplicates }, `Imported ${imported} keys.${left}`)
    })

  ofCompany(keys, 'count', 'Count the imported keys of a product.')
    .requiredOption('--product <id>', 'software, by its id or product_id')
    .action(async ({ company, json, product }: ListOptions) => {
      const { left_count: left, given_count: given } = await read(terminal, company, (db) =>
        countKeys(db, company, product),
      )
      print(terminal, json, { left, given }, `${left} keys are left, ${given} were given.`)
    })
}
