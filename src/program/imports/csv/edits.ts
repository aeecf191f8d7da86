import type { Row } from './file.ts'
import type { Columns } from './values.ts'

/** What somebody has decided about a file, instead of changing the file. */
export type Choices = {
  /** The field of a column by its heading; null leaves the column out. Other columns are known by their names. */
  fields: ReadonlyMap<string, string | null>
  /** The values of lines that have none of their own, by field. */
  defaults: ReadonlyMap<string, string>
  /** Other values by line and field. An empty one counts as absent. */
  values: ReadonlyMap<number, Readonly<Record<string, string>>>
  /** Entries with one of these lines are left out. */
  leftOut: ReadonlySet<number>
  /** Products of the shop by the names that they have in the file; null: they are left out. */
  matches: ReadonlyMap<string, string | null>
}

/** The same for the columns of one kind of file. */
export type Edits = Choices & {
  columns: Columns
  /** A value of a field as our own files write it, for exports of other shops. */
  convert?: ((field: string, value: string, heading: string) => string) | undefined
}

export const NO_CHOICES: Choices = {
  fields: new Map(),
  defaults: new Map(),
  values: new Map(),
  leftOut: new Set(),
  matches: new Map(),
}
export const NO_EDITS: Edits = { ...NO_CHOICES, columns: {} }

/** The names of the columns by which their values are found: that of the field, where somebody has chosen one. */
export function namesOf(
  headings: readonly string[],
  { fields, columns }: Edits,
  nameOf: (heading: string) => string,
): string[] {
  return headings.map((heading) => {
    const field = fields.get(heading)
    if (field === undefined) return nameOf(heading)
    return field === null ? '' : (columns[field]?.[0] ?? '')
  })
}

/** A value of a column, as our own files write it. */
export function convertedValue({ fields, convert }: Edits, heading: string, value: string): string {
  const field = fields.get(heading)
  return convert === undefined || value === '' || !field ? value : convert(field, value, heading)
}

export function editedRow(row: Row, { defaults, values, columns }: Edits): Row {
  const changes = values.get(row.line)
  if (changes === undefined && defaults.size === 0) return row
  const edited = new Map(row.values)
  for (const [field, value] of defaults) {
    const names = columns[field] ?? []
    const [name] = names
    if (name !== undefined && !names.some((each) => edited.has(each))) edited.set(name, value)
  }
  for (const [field, value] of Object.entries(changes ?? {})) {
    const names = columns[field] ?? []
    for (const name of names) edited.delete(name)
    const [name] = names
    if (name !== undefined && value.trim() !== '') edited.set(name, value.trim())
  }
  return { ...row, values: edited }
}
