import { needsLicense } from './rules.ts'
import type { ProductState } from './state.ts'

/** What a product can be without, although it should not: a field, a word that stays the same for ever, and a sentence. */
export type Warning = { field: string; reason: string; message: string }

const WITHOUT_PRICE: Warning = {
  field: 'price_license_binding',
  reason: 'product_without_price',
  message: 'The product is published without a price, so nobody can buy it.',
}

const WITHOUT_CONTENT: Warning = {
  field: 'content_files',
  reason: 'product_without_content',
  message: 'The product has no content file, so there is nothing to deliver.',
}

/** The roles of the files that are the product itself. */
const MAIN_ROLES: ReadonlySet<string> = new Set(['main_hd', 'main_sd'])

type Warned = Pick<ProductState, 'published' | 'mirrored' | 'product_type' | 'bindings' | 'files'>

/** What the owner of a product should know. Nobody buys a product that is hidden, and a mirrored one is another company's. */
export function warningsOf({ published, mirrored, product_type, bindings, files }: Warned): Warning[] {
  if (!published || mirrored) return []
  const isPriced = bindings.some(({ price_id }) => price_id !== null)
  const isDelivered = files.some(({ role, status }) => MAIN_ROLES.has(role) && status === 'ready')
  return [
    ...(isPriced ? [] : [WITHOUT_PRICE]),
    ...(isDelivered || !needsLicense(product_type) ? [] : [WITHOUT_CONTENT]),
  ]
}
