import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { StartError } from '#boot/start-error.ts'
import { closeStore, openMigratedStore } from '#boot/store.ts'
import { findCompany } from '#companies/queries.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import { isDatabaseAway, type Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Imported, Importer, NewIds } from './importers.ts'
import { command, messageOf, print, type Terminal, wholeNumber } from './program.ts'

export function addImport(program: Command, terminal: Terminal): void {
  command(
    program,
    'import',
    'Bring in a JSON file of resources, in the field names of the interface. All of it or nothing.',
  )
    .requiredOption('--company <id>', 'company to bring them into', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .argument(
      '<file>',
      'a JSON object with lists under licenses, prices, categories, products, discount_codes, shipping_methods, tax_rates, customers, marketplace',
    )
    .action(async (file: string, options: { company: number; json?: boolean }) => {
      const { IMPORTERS } = await import('./importers.ts')
      const lists = await readLists(file, IMPORTERS)
      const store = await openMigratedStore(terminal.config())
      try {
        if ((await findCompany(store.db, options.company)) === undefined)
          throw new StartError(`There is no company ${options.company}.`, 2)
        const counts = await inTransaction(store.db, (tx) => importAll(tx, options.company, lists, IMPORTERS))
        print(
          terminal,
          options.json,
          counts,
          Object.entries(counts)
            .map(([name, count]) => `${count} ${name}`)
            .join(', '),
        )
      } finally {
        await closeStore(store)
      }
    })
}

type Lists = Record<string, unknown[]>

type Importers = Record<string, Importer>

async function readLists(file: string, importers: Importers): Promise<Lists> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`${file} can't be read: ${error.message}.`, 2)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new StartError(`${file} is not JSON: ${messageOf(error)}.`, 2)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StartError(`${file} must hold a JSON object.`, 2)
  const lists: Lists = {}
  for (const [name, list] of Object.entries(value)) {
    if (!Object.hasOwn(importers, name))
      throw new StartError(`${file} has "${name}"; what can be imported is ${Object.keys(importers).join(', ')}.`, 2)
    if (!Array.isArray(list)) throw new StartError(`"${name}" in ${file} must be a list.`, 2)
    lists[name] = list
  }
  return lists
}

/** Imports in the order of the importers, because later entries may refer to earlier ones by their ids in the file. */
async function importAll(
  tx: Tx,
  companyId: number,
  lists: Lists,
  importers: Importers,
): Promise<Record<string, number>> {
  const now = nowInSeconds(systemClock)
  const counts: Record<string, number> = {}
  const newIds: NewIds = Object.fromEntries(Object.keys(importers).map((name) => [name, new Map()]))
  for (const [name, importer] of Object.entries(importers)) {
    const list = lists[name]
    if (list === undefined) continue
    for (const [index, entry] of list.entries()) {
      try {
        rememberId(newIds[name], entry, await importer(tx, companyId, entry, now, newIds))
      } catch (error) {
        throw isDatabaseAway(error) ? error : new StartError(`${name}[${index}]: ${messageOf(error)}`, 2)
      }
    }
    counts[name] = list.length
  }
  return counts
}

/** An entry without an id cannot be referred to, and needs none. */
function rememberId(newIds: Map<number, number> | undefined, entry: unknown, imported: Imported): void {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
  if (typeof id !== 'number' || newIds === undefined) return
  if (newIds.has(id)) throw new Error(`id ${id} is there twice.`)
  newIds.set(id, imported.id)
}
