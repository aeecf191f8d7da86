export const PARTS = ['design', 'home', 'pages', 'domain', 'visitors'] as const
export type Part = (typeof PARTS)[number]

export type ShopSearch = { part?: Part; shop?: number }

/** Reads from the address which part of which shop is shown. */
export function readShopSearch(search: Record<string, unknown>): ShopSearch {
  const part = PARTS.find((each) => each === search.part)
  const shop = Number(search.shop)
  return {
    ...(part === undefined || part === 'design' ? {} : { part }),
    ...(Number.isSafeInteger(shop) && shop > 0 ? { shop } : {}),
  }
}
