import { mediaOf } from '../media.rules.ts'
import type { CheckedFormat } from './state.ts'

/** How a file of this type is checked; undefined for types of which nothing is known. */
export function checkedFormatOf(contentType: string): CheckedFormat | undefined {
  if (contentType === 'application/pdf') return 'pdf'
  if (contentType === 'application/epub+zip') return 'epub'
  return mediaOf(contentType) === undefined ? undefined : 'media'
}

const UNPLAYED_TYPES =
  /^video\/(vnd\.avi|avi|x-msvideo|mpeg|mp1s|mp2p|mp2t|x-ms-asf|x-ms-wmv|x-flv)$|^audio\/(x-ms-asf|x-ms-wma|ape|wavpack|x-musepack|x-dsf|amr|aiff)$/

/** MPEG-4 Part 2, Apple ProRes, DV and Motion JPEG: what cameras and editors write. */
const UNPLAYED_CODECS = /^(mp4v|ap4[hx]|apc[hnso]|dv|mjp|jpeg)|^V_(MPEG[12]|MPEG4\/(MS|ISO\/(SP|ASP|AP))|PRORES|MS)/i

/** Does no browser play this, although it may be in order? */
export function isUnplayed(contentType: string, codecs: readonly string[]): boolean {
  return UNPLAYED_TYPES.test(contentType) || codecs.some((codec) => UNPLAYED_CODECS.test(codec))
}

/** Music that was cut says at its beginning how long it was. Rates of bits are averages, so a little less is no sign. */
export function isShorterThanSaid(bytes: number, seconds: number, bitsPerSecond: number): boolean {
  return bytes < (seconds * bitsPerSecond * 0.9) / 8
}
