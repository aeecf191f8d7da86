/** The lists of a JSON file, in the order in which they are imported: later entries may refer to earlier ones. */
export const JSON_KINDS = [
  'licenses',
  'prices',
  'categories',
  'products',
  'discount_codes',
  'shipping_methods',
  'tax_rates',
  'customers',
  'sales',
  'marketplace',
] as const
/** Printed codes come from CSV files, and so do people around a shop: somebody says there how they have agreed. */
export const KINDS = [...JSON_KINDS, 'redemption_codes', 'news_recipients', 'group_members', 'subscribers'] as const
export type Kind = (typeof KINDS)[number]

export type Amount = { cents: number; currency: string }

/** An offer that names a license and price models which exist already. */
export type Offer = {
  license: string | undefined
  price: string | undefined
  comparePrice: string | undefined
  hd: boolean | undefined
  users: number | undefined
  audioType: number | undefined
}

/** The names in a row of a CSV file that stand for ids: each is looked up, and prices and categories are created. */
export type Links = {
  price?: Amount | undefined
  comparePrice?: Amount | undefined
  license?: string | undefined
  /** Instead of the price and the license above. */
  offers?: readonly Offer[]
  /** Titles from the top category down. */
  categories?: string[][]
}

/** Where a value stands in a CSV file. */
export type Place = {
  line: number
  /** The field of the column, such as `price`. */
  field: string
  /** The heading of the column; absent if the file has no such column. */
  column?: string
  value?: string
}

/** What is wrong with an entry. The message is a sentence without its full stop. */
export type Mistake = Partial<Place> & { reason: string; message: string }

/** Why nothing of an entry is imported: for programs, and as a sentence without its full stop. */
export type Skip = { reason: string; message: string }

/** One thing of a file, in the field names of the API. */
export type Entry = {
  /** Where it stands: `line 4`, or `products[3]`. */
  where: string
  /** The lines of a CSV file that it is made of. */
  lines?: readonly number[]
  /** Where the value of an attribute stands, by its path in the API. */
  placeOf?(path: string): Place
  /** The texts of its first line, by field. */
  values?(): Record<string, string>
  value: unknown
  /** The name of the thing in the file, by which the next import finds it. Absent: the value has one. */
  key?: string
  links?: Links
  /** Mistakes that were found before it is checked. */
  faults?: Mistake[]
  /** Parts of it that are not imported. */
  notes?: string[]
  /** Why nothing of it is imported. */
  skipped?: Skip
}

/** A file as the import takes it. The entries can be read once for each call. */
export type Source = {
  /** The lists that the file has, with the number of their entries. */
  lists: ReadonlyMap<Kind, number>
  read(kind: Kind): AsyncIterable<Entry> | Iterable<Entry>
  /** Parts of the file that are not imported at all, such as columns. */
  notes: string[]
}
