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

type Warned = Pick<ProductState, 'published' | 'mirrored' | 'has_content' | 'bindings'>

/** What the owner of a product should know. Nobody buys a product that is hidden, and a mirrored one is another company's. */
export function warningsOf({ published, mirrored, has_content, bindings }: Warned): Warning[] {
  if (!published || mirrored) return []
  const isPriced = bindings.some(({ price_id }) => price_id !== null)
  return [...(isPriced ? [] : [WITHOUT_PRICE]), ...(has_content ? [] : [WITHOUT_CONTENT])]
}
