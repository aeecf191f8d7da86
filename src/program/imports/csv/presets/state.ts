import type { CsvKind } from '../kinds.facts.ts'

/** Shops of others whose exports are known. */
export const OTHER_SHOPS = ['shopify', 'woocommerce', 'gumroad'] as const
export type OtherShop = (typeof OTHER_SHOPS)[number]

/** What people call them. */
export const SHOP_NAMES: Record<OtherShop, string> = {
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  gumroad: 'Gumroad',
}

/** Why a column of an export cannot be taken over. */
export const WHYS = [
  'files',
  'variants',
  'measures',
  'shipping',
  'marketing',
  'counted',
  'payment',
  'settings',
  'only_one',
  'keys',
] as const
export type Why = (typeof WHYS)[number]

/** How an export of another shop is read. Headings are as `columnName` writes them. */
export type Preset = {
  shop: OtherShop
  kind: CsvKind
  /** A file is such an export if it has a column of each of these. */
  marks: readonly (readonly string[])[]
  /** The fields of its columns. */
  fields: Readonly<Record<string, string>>
  /** Whether other columns are known by their names, as in any file. */
  knowsOthers: boolean
  left: readonly (readonly [RegExp, Why])[]
  /** A value as our own files write it. */
  convert?(field: string, value: string, heading: string): string
}
