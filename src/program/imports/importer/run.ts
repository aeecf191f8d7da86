import { type Db, isDatabaseAway, type Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { rememberImported } from '../keys.commands.ts'
import { findImported } from '../keys.queries.ts'
import type { Recorder } from '../undo/recorder.ts'
import { groupMembers, newsRecipients, subscribers } from './audience.ts'
import { redemptionCodes } from './codes.ts'
import { type Checked, type Context, type Found, type Importer, type ImportWarning, NotImported } from './context.ts'
import { type Entry, KINDS, type Kind, type Mistake, type Source } from './entries.ts'
import { categories, fillCategory, products } from './goods.ts'
import { sales } from './sales.ts'
import { customers, discountCodes, marketplace, shippingMethods, taxRates } from './selling.ts'
import { licenses, prices } from './terms.ts'
import { EntryFailed } from './unreadable.ts'

/** The outcome of an entry. */
export type Result = { kind: Kind; where: string; name: string } & (
  | { action: 'created' | 'changed' | 'unchanged'; id: number }
  | { action: 'skipped'; faults: Mistake[] }
  | { action: 'refused'; faults: Mistake[] }
)

export type Report = { results: Result[]; notes: string[]; warnings: ImportWarning[] }

export type Options = {
  companyId: number
  /** For the audit log. */
  author: Author
  /** Everything is tried, and nothing is kept. */
  isDryRun: boolean
  now: Date
  /** The other shop that the file comes from. */
  origin?: string | undefined
  /** Writes down what is done, so that it can be undone. */
  recorder?: Recorder
  /** Where the service is reached, for links in mails. */
  baseUrl: string
  onProgress: (done: number) => void
  /** Ends the transaction of an import that is kept. What it throws undoes the import. */
  onImported?(tx: Tx, report: Report): Promise<void>
}

/** Thrown to undo what was imported: nothing is kept of a dry run, and of a file with a mistake. */
class Undone extends Error {
  readonly report: Report

  constructor(report: Report) {
    super('the import is undone')
    this.report = report
  }
}

/** Imports a file, all of it or nothing. */
export async function importSource(db: Db, source: Source, options: Options): Promise<Report> {
  try {
    return await inTransaction(db, async (tx) => {
      const report = await importAll(tx, source, options)
      if (options.isDryRun || report.results.some(({ action }) => action === 'refused')) throw new Undone(report)
      await options.onImported?.(tx, report)
      return report
    })
  } catch (error) {
    if (error instanceof Undone) return error.report
    throw error
  }
}

async function importAll(tx: Tx, source: Source, options: Options): Promise<Report> {
  const { companyId, author, now, baseUrl, onProgress, recorder } = options
  const context: Context = {
    tx,
    companyId,
    author,
    now,
    baseUrl,
    newIds: mapOfKinds(),
    found: {
      prices: new Map(),
      categories: new Map(),
      licenses: new Map(),
      priceNames: new Map(),
      licenseNames: new Map(),
      sold: new Map(),
      given: new Map(),
      codes: new Map(),
      lastCode: undefined,
    },
    origin: options.origin,
    lockedProducts: new Map(),
    productsOfCategories: [],
    asked: undefined,
    warnings: [],
    recorder,
  }
  const report: Report = { results: [], notes: [...source.notes], warnings: context.warnings }
  const add = (results: Result[]) => {
    report.results.push(...results)
    onProgress(report.results.length)
  }
  const read = (kind: Kind) => (source.lists.has(kind) ? source.read(kind) : [])
  await importList(context, 'licenses', read, licenses, report, add)
  await importList(context, 'prices', read, prices, report, add)
  await importList(context, 'categories', read, categories, report, add)
  await importList(context, 'products', read, products, report, add)
  await importList(context, 'discount_codes', read, discountCodes, report, add)
  await importList(context, 'shipping_methods', read, shippingMethods, report, add)
  await importList(context, 'tax_rates', read, taxRates, report, add)
  await importList(context, 'customers', read, customers, report, add)
  await importList(context, 'sales', read, sales, report, add)
  await importList(context, 'redemption_codes', read, redemptionCodes, report, add)
  await importList(context, 'marketplace', read, marketplace, report, add)
  await importList(context, 'news_recipients', read, newsRecipients, report, add)
  await importList(context, 'group_members', read, groupMembers, report, add)
  await importList(context, 'subscribers', read, subscribers, report, add)
  for (const { where, categoryId, productRefs } of context.productsOfCategories) {
    const faults = await faultsOf({ where }, () => fillCategory(context, categoryId, productRefs))
    if (faults !== undefined)
      report.results.push({ kind: 'categories', where, name: String(categoryId), action: 'refused', faults })
  }
  return report
}

function mapOfKinds(): Context['newIds'] {
  const entries = KINDS.map((kind) => [kind, new Map<number, number>()])
  return Object.fromEntries(entries) as Context['newIds']
}

/** The names that the entries of a list have used so far. */
type Seen = {
  /** How often each key was there. */
  keys: Map<string, number>
  /** The ids in the file. */
  ids: Set<number>
  /** The names that only one thing of the company can have. */
  names: Set<string>
}

async function importList<Input>(
  context: Context,
  kind: Kind,
  read: (kind: Kind) => AsyncIterable<Entry> | Iterable<Entry>,
  importer: Importer<Input>,
  report: Report,
  add: (results: Result[]) => void,
): Promise<void> {
  const seen: Seen = { keys: new Map(), ids: new Set(), names: new Set() }
  let batch: Entry[] = []
  let hasBegun = false
  const flush = async () => {
    add(await importBatch(context, kind, importer, batch, seen))
    batch = []
  }
  for await (const entry of read(kind)) {
    if (!hasBegun) await importer.begin?.(context)
    hasBegun = true
    report.notes.push(...(entry.notes ?? []))
    batch.push(entry)
    if (batch.length >= importer.atOnce) await flush()
  }
  if (batch.length > 0) await flush()
}

type Named<Input> = Checked<Input> & { key: string; name: string }

/** Imports entries together: their keys are looked up and remembered in one statement each. */
async function importBatch<Input>(
  context: Context,
  kind: Kind,
  importer: Importer<Input>,
  batch: readonly Entry[],
  seen: Seen,
): Promise<Result[]> {
  const { tx, companyId } = context
  const results = new Map<Entry, Result>()
  const named: Named<Input>[] = []
  for (const entry of batch) {
    const read = await readEntry(context, kind, importer, entry, seen)
    if ('action' in read) results.set(entry, read)
    else named.push(read)
  }
  const keys = named.map(({ key }) => key)
  // A thing that is found by a name of its own is not remembered: the address of a customer must not outlive the customer.
  const isRemembered = !importer.isUnique && keys.length > 0
  const imported = isRemembered ? await findImported(tx, companyId, kind, keys) : new Map<string, number>()
  const found = await importer.find(
    context,
    named.map((each) => ({ ...each, imported: imported.get(each.key) })),
  )
  const ids = new Map<string, number>()
  const written = await writeEntries(context, kind, importer, named, found)
  for (const [index, result] of written.entries()) {
    const each = named[index]
    if (each === undefined) continue
    results.set(each.entry, result)
    if (!('id' in result)) continue
    if (isRemembered && imported.get(each.key) !== result.id) ids.set(each.key, result.id)
    if (each.fileId !== undefined) context.newIds[kind].set(each.fileId, result.id)
  }
  await rememberImported(tx, companyId, kind, ids)
  await context.recorder?.flush(tx)
  return batch.flatMap((entry) => results.get(entry) ?? [])
}

async function readEntry<Input>(
  context: Context,
  kind: Kind,
  importer: Importer<Input>,
  entry: Entry,
  seen: Seen,
): Promise<Named<Input> | Result> {
  const { where, value, faults = [] } = entry
  const { id }: { id?: unknown } = Object(value)
  const fileId = typeof id === 'number' ? id : undefined
  const at = { kind, where, name: entry.key ?? nameOf(value) }
  if (entry.skipped !== undefined) return { ...at, action: 'skipped', faults: [entry.skipped] }
  if (faults.length > 0) return { ...at, action: 'refused', faults }
  if (!isObject(value))
    return { ...at, action: 'refused', faults: [{ reason: 'not_an_object', message: 'must be an object' }] }
  if (fileId !== undefined && seen.ids.has(fileId))
    return { ...at, action: 'refused', faults: [twice(entry, 'id', `id ${fileId}`)] }
  if (fileId !== undefined) seen.ids.add(fileId)
  let named: Named<Input> | Result | undefined
  const wrong = await faultsOf(entry, async () => {
    const input = await importer.read(context, entry)
    if (input instanceof NotImported) {
      if (fileId !== undefined) context.newIds[kind].set(fileId, input.keptId)
      named = { ...at, action: 'skipped', faults: [{ reason: input.reason, message: input.why }] }
      return
    }
    const key = entry.key ?? importer.keyOf(input)
    const count = (seen.keys.get(key) ?? 0) + 1
    seen.keys.set(key, count)
    const unique = importer.uniqueNameOf?.(input)
    const isNameTaken = unique !== undefined && seen.names.has(unique)
    if (unique !== undefined) seen.names.add(unique)
    if (count > 1 && (importer.isUnique || entry.key !== undefined))
      named = { ...at, action: 'refused', faults: [twice(entry, importer.keyField, `"${key}"`)] }
    else if (isNameTaken) named = { ...at, action: 'refused', faults: [twice(entry, 'product_id', unique ?? '')] }
    // Things may have the same title: the second of them is the second in the next file, too.
    else named = { entry, input, fileId, key: count === 1 ? key : `${key} #${count}`, name: at.name }
  })
  return named ?? { ...at, action: 'refused', faults: wrong ?? [] }
}

/** Creates and changes things at the same time; those that can be are created together. */
async function writeEntries<Input>(
  context: Context,
  kind: Kind,
  importer: Importer<Input>,
  named: readonly Named<Input>[],
  found: readonly Found[],
): Promise<Result[]> {
  const fresh = importer.createEach === undefined ? [] : named.filter((_, index) => found[index] === undefined)
  const made = fresh.length === 0 ? [] : await createTogether(context, importer, fresh)
  const outcomes = new Map(fresh.map((each, index) => [each, made[index]]))
  return Promise.all(
    named.map(async (each, index) => {
      const outcome = outcomes.get(each)
      const at = { kind, where: each.entry.where, name: each.name }
      if (typeof outcome === 'number') return { ...at, action: 'created' as const, id: outcome }
      if (outcome === undefined) return writeEntry(context, kind, importer, each, found[index]?.id)
      return { ...at, action: 'refused' as const, faults: mistakesOf(each.entry, outcome) }
    }),
  )
}

async function createTogether<Input>(
  context: Context,
  importer: Importer<Input>,
  all: readonly Named<Input>[],
): Promise<(number | Problem)[]> {
  try {
    return (await importer.createEach?.(context, all)) ?? []
  } catch (error) {
    if (error instanceof Problem || isDatabaseAway(error)) throw error
    const [first, last] = [all[0], all.at(-1)].map((each) => each?.entry.where ?? '')
    throw new EntryFailed(first === last ? `${first}` : `${first} to ${last}`, error)
  }
}

async function writeEntry<Input>(
  context: Context,
  kind: Kind,
  importer: Importer<Input>,
  checked: Named<Input>,
  knownId: number | undefined,
): Promise<Result> {
  const { where } = checked.entry
  const at = { kind, where, name: checked.name }
  let result: Result | undefined
  const wrong = await faultsOf(checked.entry, async () => {
    if (knownId === undefined) result = { ...at, action: 'created', id: await importer.create(context, checked) }
    else {
      const isChanged = await importer.change(context, knownId, checked)
      result = { ...at, action: isChanged ? 'changed' : 'unchanged', id: knownId }
    }
  })
  return result ?? { ...at, action: 'refused', faults: wrong ?? [] }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name of the thing for people. */
function nameOf(value: unknown): string {
  const fields: { title?: unknown; name?: unknown; email?: unknown; code?: unknown } = Object(value)
  return String(fields.title ?? fields.name ?? fields.email ?? fields.code ?? '')
}

/** The second entry with a name that only one can have. */
function twice({ placeOf }: Entry, field: string | undefined, name: string): Mistake {
  return { ...(field === undefined ? {} : placeOf?.(field)), reason: 'duplicate', message: `${name} is there twice` }
}

/** Runs a piece of work and returns why it is refused; undefined if it is not. */
async function faultsOf(
  entry: Pick<Entry, 'where' | 'placeOf'>,
  work: () => Promise<void>,
): Promise<Mistake[] | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Problem) return mistakesOf(entry, error)
    if (isDatabaseAway(error)) throw error
    throw new EntryFailed(entry.where, error)
  }
}

function mistakesOf({ placeOf }: Pick<Entry, 'placeOf'>, { fields, message, reason }: Problem): Mistake[] {
  const mistakes = Object.entries(fields ?? {}).flatMap(([path, faults]) =>
    faults.map((fault) => ({
      ...(placeOf?.(path) ?? { field: path }),
      reason: fault.reason,
      message: `${path} ${fault.message}`,
    })),
  )
  return mistakes.length === 0 ? [{ reason, message: message.replace(/\.$/, '') }] : mistakes
}
