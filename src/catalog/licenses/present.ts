import { languageId } from '#identity/languages/languages.facts.ts'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { GENERAL } from './rules.ts'
import type { License } from './schema.ts'
import type { LicenseState } from './state.ts'

/** A license as the API shows it; stored with every change and sent by every read. */
export function presentLicense(license: LicenseState): License {
  return {
    id: license.id,
    company_id: license.company_id,
    created_by_user_id: license.created_by_user_id,
    name: license.name,
    created_at: wireTime(license.created_at),
    assignment: license.company_id === GENERAL ? 1 : 2,
    type: license.type,
    valid: license.valid,
    drm: license.drm,
    allow_play: license.allow_play,
    burn_play: license.burn_play,
    total_downloads: license.total_downloads,
    annual_downloads: license.annual_downloads,
    total_export: license.total_export,
    annual_export: license.annual_export,
    total_concurrent_devices: license.total_concurrent_devices,
    annual_concurrent_devices: license.annual_concurrent_devices,
    copp_aps: license.copp_aps,
    copp_cgms: license.copp_cgms,
    copp_hdcp: license.copp_hdcp,
    copy_prot_level_analog: license.copy_prot_level_analog,
    copy_prot_level_digital: license.copy_prot_level_digital,
    play_prot_level_analog: license.play_prot_level_analog,
    play_prot_level_digital: license.play_prot_level_digital,
    delete_on_clock_rollback: license.delete_on_clock_rollback,
    disable_on_clock_rollback: license.disable_on_clock_rollback,
    expiration_date: wireTimeOrNull(license.expiration_date),
    expire_after_acquisition: license.expire_after_acquisition,
    expire_after_acquisition_mode: license.expire_after_acquisition_mode,
    expire_after_first_use: license.expire_after_first_use,
    expire_after_first_use_mode: license.expire_after_first_use_mode,
    export_epub: license.export_epub,
    export_mp3: license.export_mp3,
    export_pdf_print: license.export_pdf_print,
    physical: license.physical,
    physical_weight: license.physical_weight,
    physical_weight_type: license.physical_weight_type,
    tax_handling: license.tax_handling,
    locales: license.locales.map(({ id, language, name, description }) => ({
      id,
      language_id: languageId(language) ?? 0,
      name,
      description,
    })),
    restriction_country: license.restriction_country.map(({ id, country_code }) => ({ id, country_id: country_code })),
    restriction_dvd_region: license.restriction_dvd_region,
    restriction_video_norm: license.restriction_video_norm,
    stamp: license.stamp,
  }
}
