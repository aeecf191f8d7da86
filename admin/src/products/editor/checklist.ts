import type { Draft, Text } from '../draft.ts'
import { amountsText } from '../price-models.ts'
import type { Product } from '../queries.ts'
import { partsOf } from '../types.ts'

const MAIN_FILES: ReadonlySet<string> = new Set(['main_hd', 'main_sd'])

/** Is there a word in it? An editor leaves empty tags behind. */
export function hasWords(html: string): boolean {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() !== ''
}

/** How many of the texts of a language are missing. */
export function missingIn({ title, description }: Text): number {
  return Number(title.trim() === '') + Number(!hasWords(description))
}

/** Has the product the file that buyers get? The files of another company are that company's business. */
export function lacksContent({ product_type, mirrored, content_files }: Product): boolean {
  if (mirrored || !partsOf(product_type).needsFile) return false
  return !content_files.some(({ role, valid }) => MAIN_FILES.has(role) && valid === 1)
}

export type Step =
  | { key: 'title_and_picture' | 'offer' | 'file' | 'parts'; isDone: boolean }
  | { key: 'description'; language: string; isDone: boolean }

/** What a product should have before people see it, as it is being edited. */
export function stepsOf(product: Product, { title, pictures, offers, texts, included }: Draft): Step[] {
  const { needsFile, isCollection } = partsOf(product.product_type)
  return [
    { key: 'title_and_picture', isDone: title.trim() !== '' && pictures.length > 0 },
    {
      key: 'offer',
      isDone: offers.some(({ price_id, amounts }) => price_id != null || amountsText(amounts ?? []) !== ''),
    },
    ...(needsFile ? [{ key: 'file' as const, isDone: !lacksContent(product) }] : []),
    ...(isCollection ? [{ key: 'parts' as const, isDone: included.length > 0 }] : []),
    ...texts.map((text) => ({
      key: 'description' as const,
      language: text.language_id,
      isDone: missingIn(text) === 0,
    })),
  ]
}
