import type { ProductState } from '#catalog/products/state.ts'
import type { Warning } from '#catalog/products/warnings.rules.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Problem } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { KnownCode } from '#rights/redemption-codes/own.queries.ts'
import type { Given } from '#rights/redemption-codes/state.ts'
import type { Recorder } from '../undo/recorder.ts'
import type { Entry, Kind } from './entries.ts'

/** The state that all entries of an import share. */
export type Context = {
  tx: Tx
  companyId: number
  /** For the audit log. */
  author: Author
  now: Date
  /** Where the service is reached, for links in mails. */
  baseUrl: string
  /** The new ids of the file's entries, by list: a file may refer to its own entries. */
  newIds: Record<Kind, Map<number, number>>
  /** Ids that links were resolved to. */
  found: {
    prices: Map<string, number>
    categories: Map<string, number>
    licenses: Map<string, number>
    /** By the names that exports write. */
    priceNames: Map<string, number>
    licenseNames: Map<string, number>
    /** Products by what other shops call them. */
    sold: Map<string, number | undefined>
    /** What codes of a product give. */
    given: Map<string, Given>
    /** Codes of the batch that exist already, by id. */
    codes: Map<number, KnownCode>
    /** The code of the line before. */
    lastCode: string | undefined
  }
  /** The other shop that the file comes from, as people call it. */
  origin: string | undefined
  /** The products of the batch that exist already, locked and read at once. */
  lockedProducts: Map<number, ProductState>
  /** The products of categories, which are imported after the categories. */
  productsOfCategories: { where: string; categoryId: number; productRefs: string[] }[]
  /** How many people imports have asked by mail within a day, once it was counted. */
  asked: number | undefined
  /** What keeps imported products from being sold or delivered, and who is asked by mail. */
  warnings: ImportWarning[]
  /** Writes down what is done, for imports that can be undone. */
  recorder: Recorder | undefined
}

/** A warning about an entry of the file. */
export type ImportWarning = Warning & { where: string }

/** An entry after its check, with the new ids of the entries that it refers to. */
export type Checked<Input> = {
  entry: Entry
  input: Input
  /** The id in the file. */
  fileId: number | undefined
}

export type Found = { id: number } | undefined

/** An entry that stands for something else, under whose id others of the file refer to it. */
export class NotImported {
  readonly keptId: number
  readonly why: string
  readonly reason: string

  constructor(keptId: number, why: string, reason = 'not_imported') {
    this.keptId = keptId
    this.why = why
    this.reason = reason
  }
}

/** How a list of a file is imported. */
export type Importer<Input> = {
  /** Entries that are imported at the same time; 1 where entries refer to each other. */
  atOnce: number
  /** Comes before the first entry, if there is one. */
  begin?(context: Context): Promise<void>
  /** The entry as the API reads it, with the new ids of what it refers to; or why it is not imported. */
  read(context: Context, entry: Entry): Promise<Input | NotImported>
  /** The name by which the next import finds the thing. */
  keyOf(input: Input): string
  /** The column of a CSV file that the key stands in. */
  keyField?: string
  /** There can be one thing only with this key, by which it is found: two entries with it are a mistake. */
  isUnique: boolean
  /**
   * A field of the entry, with its name, whose value only one thing of the company can have, besides the key. The second
   * entry with it is refused before the database refuses it, because a refusal of the database ends the transaction.
   */
  uniqueNameOf?(input: Input): string | undefined
  /** The ids of the things that exist already. `imported` is the id under the key. */
  find(context: Context, entries: readonly (Checked<Input> & { imported: number | undefined })[]): Promise<Found[]>
  create(context: Context, checked: Checked<Input>): Promise<number>
  /** Creates things together, in place of `create`: the id of each, or why it is refused. */
  createEach?(context: Context, all: readonly Checked<Input>[]): Promise<(number | Problem)[]>
  /** False if nothing is to be changed. */
  change(context: Context, id: number, checked: Checked<Input>): Promise<boolean>
}

/** An entry of the same file has a new id; any other id is that of an entry that the company has already. */
export function renamed(id: number, newIds: ReadonlyMap<number, number>): number {
  return newIds.get(id) ?? id
}

/** The same for an id in a field, which may be missing. */
export function withNewId<Field extends string, Input extends { [Name in Field]?: number | null }>(
  input: Input,
  field: Field,
  newIds: ReadonlyMap<number, number>,
): Input {
  const id = input[field]
  return typeof id === 'number' ? { ...input, [field]: renamed(id, newIds) } : input
}
