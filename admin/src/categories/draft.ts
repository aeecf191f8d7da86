import type { Category, CategoryInput } from './queries.ts'

/** The texts of a category in one language. */
export type Text = {
  id?: number
  language: string
  title: string
  description: string
  seo_title: string
  seo_description: string
  /** The address of the picture; empty: none. */
  src: string
}

export type Draft = {
  title: string
  comment: string
  enabled: boolean
  texts: Text[]
  /** The `product_id` of each product, in the order of the shop. */
  products: string[]
}

export const newText = (language: string): Text => ({
  language,
  title: '',
  description: '',
  seo_title: '',
  seo_description: '',
  src: '',
})

export function draftOf({ category }: { category: Category }): Draft {
  return {
    title: category.title,
    comment: category.comment,
    enabled: category.enabled,
    texts: category.locales.map(({ id, language, title, description, seo_title, seo_description, src }) => ({
      id,
      language,
      title,
      description,
      seo_title,
      seo_description,
      src,
    })),
    products: category.entries.map(({ product_id }) => product_id),
  }
}

/** What differs. Texts and products are sent as a whole, so that an error names the place that they have on the screen. */
export function changesIn(before: Draft, after: Draft): CategoryInput {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const gone = before.texts.filter(({ language }) => !after.texts.some((text) => text.language === language))
  return {
    ...(before.title === after.title ? {} : { title: after.title }),
    ...(before.comment === after.comment ? {} : { comment: after.comment }),
    ...(before.enabled === after.enabled ? {} : { enabled: after.enabled }),
    ...(isSame(before.texts, after.texts)
      ? {}
      : {
          locales: [
            ...after.texts.map(({ id: _id, ...text }) => text),
            ...gone.flatMap(({ id }) => (id === undefined ? [] : [{ id, _destroy: true }])),
          ],
        }),
    ...(isSame(before.products, after.products)
      ? {}
      : { entries: after.products.map((product_id) => ({ product_id })) }),
  }
}
