import type { RefusedForm } from '#shop/site/pages.site.ts'

export type ReviewPage = RefusedForm & {
  /** What is reviewed. */
  product: { id: number; title: string; url: string }
  /** What was typed, or written before. */
  form: { stars: string; text: string; anonymous: boolean }
  /** May the customer leave the name out? */
  may_hide: boolean
  /** Is the review shown only after the owner has read it? */
  needs_approval: boolean
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The form with which a buyer reviews a product. */
    review: ReviewPage
  }
}
