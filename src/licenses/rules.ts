import { COUNTRY_CODES, countryDetails } from '#companies/countries.ts'
import type { LicenseState } from './state.ts'

/** Whose general licenses are: no company's. */
export const GENERAL = 0

export const VALID = 1
export const INVALID = 0

/** Does something have to be shipped that is sold under it? */
export function isPhysical(license: Pick<LicenseState, 'physical'>): boolean {
  return license.physical === 1
}

type Restrictions = Pick<LicenseState, 'restriction_country' | 'restriction_dvd_region' | 'restriction_video_norm'>

/**
 * May it be sold to this country (two letters)? Each restriction that there is has to allow it: the countries, the DVD
 * regions, the video norm. Where a country is not known, only a license without restrictions may be sold.
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
