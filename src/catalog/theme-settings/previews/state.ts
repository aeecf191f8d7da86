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
>

/** A shop with changes that are not saved, and its long texts. */
export type ThemePreview = { shop: PreviewedShop; locales: StoredThemeLocale[] }
