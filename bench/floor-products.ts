import { randomBytes, randomInt } from 'node:crypto'
import { warningsOf } from '#catalog/products/warnings.rules.ts'
import { asciiJson } from '#platform/wire/times.ts'

/** A product of the floor: the same rows as the service's, in one statement, which is one transaction and one round trip. */

const COUNTER_SLOTS = 8

type Row = Record<string, unknown>
type Document = Row & { locales: Row[]; chapters: Row[] }
type Ask = (name: string, text: string, values: unknown[]) => Promise<unknown>
type Ids = { take(): string }

/** The rows that a product of the floor is copied from, as floor-tables.ts has stored them. */
type Ready = { product: Row & { document: string }; words: Row }

export function productMaker(
  ask: Ask,
  companyId: number,
  { product: template, words }: Ready,
  productIds: Ids,
  partIds: Ids,
): (body: string) => Promise<string> {
  const known: Document = JSON.parse(template.document)
  // The product of the benchmark has neither an offer nor a file, which its answer says.
  const warnings = JSON.stringify(warningsOf({ published: true, mirrored: false, has_content: false, bindings: [] }))
  const [columns, wordColumns] = [Object.keys(template), Object.keys(words)]
  const places = (first: number, count: number) => Array.from({ length: count }, (_, index) => `$${first + index}`)
  const company = columns.length + wordColumns.length + 1
  const insert = `with product as (
      insert into products (${columns.join(', ')}) values (${places(1, columns.length).join(', ')})),
    words as (
      insert into product_words (${wordColumns.join(', ')})
      values (${places(columns.length + 1, wordColumns.length).join(', ')})),
    counted as (
      insert into counters (company_id, resource, slot, amount) values ($${company}, 'products', $${company + 1}, 1)
      on conflict (company_id, resource, slot) do update set amount = counters.amount + excluded.amount)
    insert into events (company_id, topic, data, created_at)
    values ($${company}, 'product/create', $${company + 2}, $${company + 3})`

  const withIds = (parts: Row[], knownParts: Row[]) =>
    parts.map((part, index) => ({ ...knownParts[index], ...part, id: Number(partIds.take()) }))
  return async (body) => {
    const { product }: { product: Document } = JSON.parse(body)
    const now = new Date().toISOString().slice(0, 19)
    const id = productIds.take()
    const productId = randomBytes(8)
      .toString('hex')
      .toUpperCase()
      .replace(/(.{4})(?!$)/g, '$1-')
    const fresh = { created_at: now, updated_at: now, published_at: now, product_id: productId, title: product.title }
    const [locales, chapters] = [withIds(product.locales, known.locales), withIds(product.chapters, known.chapters)]
    const document = asciiJson({ ...known, ...fresh, id: Number(id), locales, chapters })
    const row: Row = {
      ...template,
      ...fresh,
      company_id: companyId,
      id,
      locales: JSON.stringify(locales),
      chapters: JSON.stringify(chapters),
      tagging: JSON.stringify(template.tagging),
      mail_texts: JSON.stringify(template.mail_texts),
      included: JSON.stringify(template.included),
      document,
    }
    const wordRow: Row = { ...words, company_id: companyId, product_key: id }
    const event = JSON.stringify({ type: 'product', id, long_id: productId })
    await ask('create', insert, [
      ...columns.map((name) => row[name]),
      ...wordColumns.map((name) => wordRow[name]),
      companyId,
      randomInt(COUNTER_SLOTS),
      event,
      now,
    ])
    return `{"product":${document},"warnings":${warnings}}`
  }
}
