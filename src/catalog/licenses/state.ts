import type { TERMS } from './terms.facts.ts'

/** The stored texts of a license in one language. */
export type LicenseLocale = { id: number; language: string; name: string; description: string }

/** A stored license. schema.ts describes the codes. */
export type LicenseState = {
  /** 0 for a general license, which belongs to no company. */
  company_id: number
  id: number
  /** 0 if the license came with the service or was created on the command line. */
  created_by_user_id: number
  name: string
  created_at: Date
  updated_at: Date
  type: number
  valid: number
  drm: number
  allow_play: number
  burn_play: number
  total_downloads: number
  annual_downloads: number
  total_export: number
  annual_export: number
  total_concurrent_devices: number
  annual_concurrent_devices: number
  copp_aps: number
  copp_cgms: number
  copp_hdcp: number
  copy_prot_level_analog: number
  copy_prot_level_digital: number
  play_prot_level_analog: number
  play_prot_level_digital: number
  delete_on_clock_rollback: number
  disable_on_clock_rollback: number
  expiration_date: Date | null
  expire_after_acquisition: number
  expire_after_acquisition_mode: number
  expire_after_first_use: number
  expire_after_first_use_mode: number
  export_epub: number
  export_mp3: number
  export_pdf_print: number | null
  physical: number
  physical_weight: number
  physical_weight_type: number
  tax_handling: number
  /** 1: PDFs and EPUBs name their buyer. */
  stamp: number
  locales: LicenseLocale[]
  restriction_country: { id: number; country_code: string }[]
  restriction_dvd_region: { id: number; dvd_region: number }[]
  restriction_video_norm: { id: number; norm: number } | null
}

/** The levels of protection that a player has to ask for at its outputs. */
export type OutputProtection = Pick<
  LicenseState,
  | 'copp_aps'
  | 'copp_cgms'
  | 'copp_hdcp'
  | 'copy_prot_level_analog'
  | 'copy_prot_level_digital'
  | 'play_prot_level_analog'
  | 'play_prot_level_digital'
>

/** The terms that say what a customer may do. Whoever buys gets a copy of them. */
export type LicenseTerms = Pick<LicenseState, (typeof TERMS)[number]>
