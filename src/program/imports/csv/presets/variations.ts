import type { Row } from '../file.ts'
import { PRODUCT_COLUMNS } from '../products.ts'
import { RowReader } from '../values.ts'

/** What a product with variations has from the first of them, if it has none of its own. */
const FROM_VARIATION = ['price', 'sale_price', 'product_type', 'items_in_stock', 'weight', 'gtin', 'image'] as const

/**
 * Puts the variations of a product behind it, wherever they stand in the file: each names its product, as `id:12` or by its
 * SKU. They are few compared with the products, so they fit into memory.
 */
export async function* groupVariations(read: () => AsyncIterable<Row>): AsyncGenerator<Row[]> {
  const variations = new Map<string, Row[]>()
  for await (const row of read()) {
    const parent = textOf(row, 'parent')
    if (parent !== undefined) add(variations, parent, row)
  }
  for await (const row of read()) {
    if (textOf(row, 'parent') !== undefined) continue
    const refs = [`id:${textOf(row, 'handle') ?? ''}`, textOf(row, 'sku') ?? '']
    const own = refs.flatMap((ref) => variations.get(ref) ?? [])
    for (const ref of refs) variations.delete(ref)
    yield own.length === 0 ? [row] : [withValuesOf(row, own), ...own.slice(1)]
  }
  // Variations whose product is not in the file are products of their own.
  for (const orphans of variations.values()) for (const row of orphans) yield [row]
}

function add(variations: Map<string, Row[]>, parent: string, row: Row): void {
  const others = variations.get(parent)
  if (others === undefined) variations.set(parent, [row])
  else others.push(row)
}

function textOf(row: Row, field: string): string | undefined {
  return new RowReader(row, PRODUCT_COLUMNS).text(field)
}

/** A product with what its first variation has. */
function withValuesOf(product: Row, [variation]: readonly Row[]): Row {
  if (variation === undefined) return product
  const values = new Map(product.values)
  for (const field of FROM_VARIATION) {
    const name = PRODUCT_COLUMNS[field]?.[0]
    const value = textOf(variation, field)
    if (name !== undefined && value !== undefined && textOf(product, field) === undefined) values.set(name, value)
  }
  return { ...product, values }
}
