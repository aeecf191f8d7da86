import type { Shop, StoredThemeLocale } from '../state.ts'

/** What the pages of a shop read of its theme setting, but for its addresses. */
export type PreviewedShop = Omit<
  Shop,
  | 'company_id'
  | 'id'
  | 'kind'
  | 'hosts'
  | 'icon'
  | 'company_name'
  | 'country_code'
  | 'currency'
  | 'tax_options'
  | 'frame_origins'
> & {
  /** Only if it is another one than the shop has. */
  icon?: Shop['icon']
}

/** A shop with changes that are not saved, and its long texts. */
export type ThemePreview = { shop: PreviewedShop; locales: StoredThemeLocale[] }
