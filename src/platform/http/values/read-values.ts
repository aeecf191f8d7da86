import type { Reading } from '../../wire/schema.ts'

/**
 * Reads the values of a request as their schema types them, before they are validated. Clients send numbers and flags as
 * text, and null for what they have nothing to say about. Whatever cannot be read as its type stays as it is, and the
 * validation refuses it: nothing is guessed where money, stock, rights or visibility depend on it.
 */
export type Reader = (value: unknown) => unknown

type Schema = {
  'x-reads'?: Reading
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  items?: Schema
  maxItems?: number
  anyOf?: readonly Schema[]
}

/** A decimal number, as JSON writes it, with an optional plus sign; `0x10`, `Infinity` and blanks are none. */
const NUMBER = /^[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/

const FLAGS = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
])

const EMAIL_SEARCH = /^\s*email\s*:/i

const readNumber: Reader = (value) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value)
const readFlag: Reader = (value) => FLAGS.get(value) ?? value
/** A number that JavaScript cannot hold exactly would become another text. */
const readText: Reader = (value) =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER && !String(value).includes('e')
    ? String(value)
    : value

const readEmail: Reader = (value) => (typeof value === 'string' ? value.trim().replaceAll(' ', '+') : value)
const readSearch: Reader = (value) =>
  typeof value === 'string' && EMAIL_SEARCH.test(value)
    ? `email:${readEmail(value.slice(value.indexOf(':') + 1))}`
    : value

/** Clients whose ids cannot be absent send these for none. */
const NONE = new Set<unknown>([0, '0', '', null])

function typesOf({ type }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? [])
}

function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null') || (schema.anyOf?.some(isNullable) ?? false)
}

/** Makes the reader of a schema; undefined if its values need no reading. */
export function createReader(schema: Schema): Reader | undefined {
  const types = typesOf(schema)
  if (schema['x-reads'] === 'email') return readEmail
  if (schema['x-reads'] === 'search') return readSearch
  if (schema.anyOf !== undefined) return readerOfObject(schema.anyOf.find((each) => each.properties !== undefined))
  if (types.includes('object')) return readerOfObject(schema)
  if (types.includes('array')) return readerOfList(schema)
  if (types.includes('integer') || types.includes('number')) return readNumber
  if (types.includes('boolean')) return readFlag
  return types.includes('string') ? readText : undefined
}

/** A list that is too long is refused anyway, so its entries are not read. */
function readerOfList({ items, maxItems = Number.POSITIVE_INFINITY }: Schema): Reader | undefined {
  const read = items && createReader(items)
  if (read === undefined) return undefined
  return (value) => {
    if (Array.isArray(value) && value.length <= maxItems)
      for (const [index, entry] of value.entries()) value[index] = read(entry)
    return value
  }
}

/** Null counts as absent, unless the attribute can be null. So does none in a reference. */
function readerOfObject(schema: Schema | undefined): Reader | undefined {
  const attributes = Object.entries(schema?.properties ?? {}).map(([name, each]) => ({
    name,
    read: createReader(each),
    mayBeNull: isNullable(each),
    refers: each['x-reads'] === 'reference',
  }))
  return (value) => {
    if (!isObject(value)) return value
    for (const { name, read, mayBeNull, refers } of attributes) {
      const sent = value[name]
      if (sent === undefined) continue
      if (sent === null || (refers && NONE.has(sent))) {
        if (mayBeNull) value[name] = null
        else delete value[name]
      } else if (read !== undefined) value[name] = read(sent)
    }
    return value
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The reader of a query: an empty parameter counts as absent too. */
export function createQueryReader(schema: Schema): Reader {
  const read = createReader(schema)
  return (value) => {
    if (isObject(value)) for (const name of Object.keys(value)) if (value[name] === '') delete value[name]
    return read === undefined ? value : read(value)
  }
}
