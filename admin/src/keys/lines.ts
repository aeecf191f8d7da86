import { readCsv } from '../ui/lists/csv.ts'

export const KEYS_MAX = 10_000
export const KEY_LENGTH_MAX = 200

/** A key with the line where it stands, counted from one. */
type TypedKey = { key: string; line: number }

export type TypedKeys = {
  keys: TypedKey[]
  /** The lines whose key stands above already. */
  repeated: number[]
  /** The lines that are too long for a key. */
  tooLong: number[]
}

/** As the service compares keys: capitals, blanks and hyphens make no difference. */
const formOf = (key: string) => key.replace(/[\s\u2010-\u2015._-]/gu, '').toUpperCase()

/** The keys of a list: the first column of each line. */
export function readKeys(text: string): TypedKeys {
  const found: TypedKeys = { keys: [], repeated: [], tooLong: [] }
  const forms = new Set<string>()
  for (const [place, row] of text.split(/\r?\n/).entries()) {
    const key = readCsv(row)[0]?.[0] ?? ''
    const form = formOf(key)
    if (form === '') continue
    const line = place + 1
    if (key.length > KEY_LENGTH_MAX) found.tooLong.push(line)
    else if (forms.has(form)) found.repeated.push(line)
    else found.keys.push({ key, line })
    forms.add(form)
  }
  return found
}

/** The lines of keys that the service has left out. */
export function linesOf(duplicates: readonly string[], { keys }: TypedKeys): number[] {
  const forms = new Set(duplicates.map(formOf))
  return keys.filter(({ key }) => forms.has(formOf(key))).map(({ line }) => line)
}
