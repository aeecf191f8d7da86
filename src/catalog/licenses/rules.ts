import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import type { LicenseState } from './state.ts'

/** The company id of general licenses, which belong to no company. */
export const GENERAL = 0

export const VALID = 1
export const INVALID = 0

/** Do products under this license have to be shipped? */
export function isPhysical(license: Pick<LicenseState, 'physical'>): boolean {
  return license.physical === 1
}

type Restrictions = Pick<LicenseState, 'restriction_country' | 'restriction_dvd_region' | 'restriction_video_norm'>

/**
 * May the license be sold to this country (two-letter code)? Every restriction has to allow it: countries, DVD regions
 * and video norm. If the country is not known, only a license without restrictions may be sold.
 */
export function allowsCountry(license: Restrictions, country: string): boolean {
  const { restriction_country: countries, restriction_dvd_region: regions, restriction_video_norm: video } = license
  if (countries.length === 0 && regions.length === 0 && video === null) return true
  if (!COUNTRY_CODES.has(country)) return false
  const { DVDRegion, VideoFormat } = countryDetails(country)
  if (countries.length > 0 && !countries.some(({ country_code }) => country_code === country)) return false
  if (regions.length > 0 && !regions.some(({ dvd_region }) => dvd_region === DVDRegion)) return false
  return video === null || video.norm === VideoFormat
}
