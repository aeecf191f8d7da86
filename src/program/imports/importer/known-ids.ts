import { isDeepStrictEqual } from 'node:util'

type Fields = Readonly<Record<string, unknown>>

/** Entries of these lists are found by their language or their address. */
const FOUND_WITHOUT_ID = new Set(['locales', 'images', 'preview_pictures'])

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Does a thing have everything already that an input says? Lists have to have the same entries in the same order. */
export function hasAll(document: unknown, input: unknown): boolean {
  if (Array.isArray(input))
    return (
      Array.isArray(document) &&
      document.length === input.length &&
      input.every((entry, index) => hasAll(document[index], entry))
    )
  if (!isFields(input)) return isDeepStrictEqual(document, input)
  return isFields(document) && Object.entries(input).every(([name, value]) => hasAll(document[name], value))
}

/**
 * An input whose parts have the ids that they have here: the ids of a file come from another company or another time.
 * A part that is the same as one of the document is that one; any other is new.
 */
export function withKnownIds<Input extends object>(document: object, input: Input): Input {
  const lists = Object.entries(input).flatMap(([name, list]) =>
    Array.isArray(list) && list.some((entry) => isFields(entry)) ? [[name, identified(name, document, list)]] : [],
  )
  return { ...input, ...Object.fromEntries(lists) }
}

function identified(name: string, document: Fields | object, list: readonly unknown[]): unknown[] {
  const kept: unknown = Object.entries(document).find(([field]) => field === name)?.[1]
  const free = new Set(Array.isArray(kept) && !FOUND_WITHOUT_ID.has(name) ? kept.filter(isFields) : [])
  return list.map((entry) => {
    if (!isFields(entry)) return entry
    const { id: _id, ...rest } = entry
    const same = [...free].find((each) => hasAll(each, rest))
    if (same === undefined || typeof same.id !== 'number') return rest
    free.delete(same)
    return { ...rest, id: same.id }
  })
}
