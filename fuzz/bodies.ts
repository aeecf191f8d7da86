import type { Random } from '#program/demo/random.ts'
import { type OpenApi, resolve, type Schema } from './document.ts'
import { hostileJson } from './hostile.ts'
import type { Known } from './known.ts'

/** What values are made from. `wildness` is the share of values that are not what their schema says. */
export type Source = { document: OpenApi; random: Random; known: Known; wildness: number }

/** A tame request has few attributes, so that many of them succeed and reach what is behind the validation. */
const OPTIONAL = { tame: 0.08, wild: 0.3 }

/** A JSON text that mostly fits the schema. */
export function jsonFor(source: Source, given: Schema, name = ''): string {
  const { document, random } = source
  const schema = resolve(document, given)
  if (random.often(source.wildness)) return hostileJson(random)
  if (schema.anyOf !== undefined) return jsonFor(source, random.pick(schema.anyOf), name)
  if (schema.enum !== undefined) return JSON.stringify(random.pick(schema.enum))
  const types = [schema.type ?? 'string'].flat()
  const type = types.includes('null') && random.often(0.1) ? 'null' : (types[0] ?? 'string')
  if (type === 'object') return objectFor(source, schema)
  if (type === 'array') return listFor(source, schema, name)
  if (type === 'boolean') return random.pick(['true', 'false', '"1"', '0'])
  if (type === 'integer' || type === 'number') return numberFor(source, schema, name)
  return type === 'null' ? 'null' : textFor(source, schema, name)
}

function objectFor(source: Source, { properties = {}, required = [], examples = [] }: Schema): string {
  const { random, wildness } = source
  const example = random.often(0.7) ? examples[0] : undefined
  const base = typeof example === 'object' && example !== null ? Object.entries(example) : []
  const attributes = new Map(base.map(([name, value]) => [name, JSON.stringify(value)]))
  for (const [name, schema] of Object.entries(properties)) {
    const isWanted = required.includes(name)
      ? !attributes.has(name) && random.often(0.97)
      : random.often(wildness === 0 ? OPTIONAL.tame : OPTIONAL.wild)
    if (isWanted) attributes.set(name, jsonFor(source, schema, name))
  }
  const pairs = [...attributes].map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  if (random.often(wildness))
    pairs.push(`${JSON.stringify(random.pick(['__proto__', 'id', '', '\0']))}:${hostileJson(random)}`)
  if (random.often(0.01) && pairs[0] !== undefined) pairs.push(pairs[0])
  return `{${pairs.join(',')}}`
}

/** More than any body may have. */
const LIST_MAX_BYTES = 30_000_000

function listFor(source: Source, { items, maxItems = 10 }: Schema, name: string): string {
  const { random } = source
  if (items === undefined) return '[]'
  const isFull = random.often(0.02) && maxItems <= 1000
  const wanted = isFull ? maxItems + random.below(2) : random.below(3)
  const one = isFull ? jsonFor(source, items, name) : undefined
  // A full list of hostile values would be longer than a text can be.
  const count = one === undefined ? wanted : Math.min(wanted, Math.ceil(LIST_MAX_BYTES / one.length))
  return `[${Array.from({ length: count }, () => one ?? jsonFor(source, items, name)).join(',')}]`
}

function numberFor(
  { random, known, wildness }: Source,
  { minimum = -1, maximum = 1000 }: Schema,
  name: string,
): string {
  if (/^id$|_id$/.test(name) && random.often(0.8)) {
    const id = known.pick(random, name)
    return /^\d+$/.test(id) ? id : '1'
  }
  // Thousands of new entries at once would make every whole list after them dear.
  const most = name === 'count' ? [] : [maximum]
  const near = [minimum, minimum - 1, ...most, maximum + 1, minimum + 1]
  return String(wildness === 0 || random.often(0.7) ? Math.max(0, minimum) + random.below(20) : random.pick(near))
}

function textFor(
  { random, known, wildness }: Source,
  { examples = [], maxLength = 100 }: Schema,
  name: string,
): string {
  const [example] = examples
  const isTame = wildness === 0
  if (/_id$|token$|^ids?$/.test(name) && random.often(0.8)) return JSON.stringify(known.pick(random, name))
  if (name === 'email' && random.often(0.7)) return JSON.stringify(`${random.below(5000)}@example.com`)
  if (example !== undefined && (isTame || random.often(0.6))) return JSON.stringify(example)
  const letters = random.pick(['a', 'Ä', '漢', '<b>x</b>', 'x y '])
  // A text of the greatest length is rare: documents with many of them make every list after it slow.
  const isLong = !isTame && random.often(maxLength > 1000 ? 0.01 : 0.05)
  const length = isLong ? maxLength + random.below(2) : 1 + random.below(12)
  return JSON.stringify(letters.repeat(Math.ceil(length / letters.length)).slice(0, length))
}
