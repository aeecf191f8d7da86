import type { Card } from '#shop/catalog-pages/cards.present.ts'

export type WishListPage = {
  /** What the customer has saved, the last first. Products that the shop does not show are left out. */
  cards: Card[]
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** What the customer has saved for later. */
    'account-wishes': WishListPage
  }
}
