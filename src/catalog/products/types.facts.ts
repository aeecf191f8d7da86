/** The kinds of things that are sold, in the order in which shops show them. */
export const MEDIA = [
  'film',
  'audio',
  'book',
  'software',
  'goods',
  'course',
  'collection',
  'service',
  'access',
  'other',
] as const
export type Medium = (typeof MEDIA)[number]

/** What a buyer does with a product first. */
export type Use = 'watch' | 'listen' | 'read' | 'download' | 'open'

/** What a product of a type is, and what can be done with it. */
export type ProductType = {
  name: string
  medium: Medium
  /** It is used under a license, so a binding of it must name one. */
  needsLicense?: true
  /** It is in stock, weighs something and is sent. */
  ships?: true
  /** It is played (`watch`, `listen`), read, downloaded or opened. Absent: there is nothing to use, as with goods and services. */
  use?: Use
  /** It has files, which buyers can download. */
  hasFiles?: true
  /** It is sold in SD and HD. */
  hasVersions?: true
  /** It is in HD without a word about it. */
  isHd?: true
  /** A buyer gets a key that activates it. */
  hasKey?: true
  /** A trial can be fetched without a purchase. */
  isTried?: true
  /** The buyer chooses one of the products that it includes. */
  isChoice?: true
}

export const VIDEO = 1
export const WEB_ACCESS = 3
export const SOFTWARE = 4
export const AUDIO_COLLECTION = 5
export const PHYSICAL = 6
export const PACKAGE = 7
export const HD_VIDEO = 9
export const E_BOOK = 16
export const SERVICE = 17
export const AUDIO_TRACK = 23
export const AUDIO_ALBUM = 24
export const ACCESS_GROUP = 26
export const GENERIC_FILE = 27

const LICENSED = { needsLicense: true, hasFiles: true } as const
const FILM = { medium: 'film', ...LICENSED, use: 'watch', hasVersions: true } as const
const SOUND = { medium: 'audio', ...LICENSED, use: 'listen' } as const
const FILE = { medium: 'software', ...LICENSED, use: 'download', hasKey: true, isTried: true } as const
const COURSE = { medium: 'course', ...LICENSED, use: 'open' } as const
const ACCESS = { medium: 'access', use: 'open' } as const
const OTHER = { medium: 'other', use: 'open', hasFiles: true } as const

/** Every type of the API. 0, 2 and 10 to 15 are reserved. */
export const PRODUCT_TYPES: Readonly<Record<number, ProductType>> = {
  [VIDEO]: { name: 'video (SD)', ...FILM },
  [WEB_ACCESS]: { name: 'web access', ...ACCESS },
  [SOFTWARE]: { name: 'software and generic files', ...FILE },
  [AUDIO_COLLECTION]: { name: 'audio collection (MP3)', ...SOUND },
  [PHYSICAL]: { name: 'physical', medium: 'goods', ships: true },
  [PACKAGE]: { name: 'package (HTML or PDF)', ...COURSE },
  8: { name: 'collection', medium: 'collection', use: 'open' },
  [HD_VIDEO]: { name: 'video (HD)', ...FILM, isHd: true },
  [E_BOOK]: { name: 'e-book (ePub)', medium: 'book', ...LICENSED, use: 'read' },
  [SERVICE]: { name: 'service', medium: 'service' },
  // An app is a program too: it has keys and can be tried. It may be sold without a license.
  18: { name: 'app', medium: 'software', use: 'download', hasFiles: true, hasKey: true, isTried: true },
  19: { name: 'theme', ...OTHER },
  20: { name: 'certificate', medium: 'other', use: 'open' },
  21: { name: 'variation', medium: 'collection', use: 'open', isChoice: true },
  22: { name: 'VR video', ...FILM },
  [AUDIO_TRACK]: { name: 'audio track', ...SOUND },
  [AUDIO_ALBUM]: { name: 'audio album', ...SOUND },
  25: { name: 'other', ...OTHER },
  [ACCESS_GROUP]: { name: 'access group', ...ACCESS },
  [GENERIC_FILE]: { name: 'generic file', ...FILE },
  28: { name: 'template', ...OTHER },
  29: { name: 'HTML package', ...COURSE },
  30: { name: 'SCORM package', ...COURSE },
}

/** An unknown type counts as something that can be opened. */
const UNKNOWN: ProductType = { name: 'unknown', ...OTHER }

export function productTypeOf(type: number): ProductType {
  return PRODUCT_TYPES[type] ?? UNKNOWN
}

/** The types of which something is true, in their order. */
export function typesWith(isMeant: (type: ProductType) => boolean): readonly number[] {
  return Object.entries(PRODUCT_TYPES).flatMap(([type, facts]) => (isMeant(facts) ? Number(type) : []))
}

/** The types of a medium. */
export function typesOf(medium: Medium): readonly number[] {
  return typesWith((type) => type.medium === medium)
}

export function mediumOf(type: number): Medium {
  return productTypeOf(type).medium
}

/** Does a product of this type give the customer something to use? Goods and services do not. */
export function isContent(type: number): boolean {
  return productTypeOf(type).use !== undefined
}
