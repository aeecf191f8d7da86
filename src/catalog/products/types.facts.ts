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

/** What a product of a type is, and what can be done with it. */
export type ProductType = {
  name: string
  medium: Medium
  /** It is used under a license, so a binding of it must name one. */
  needsLicense?: true
  /** It is in stock, weighs something and is sent. */
  ships?: true
  /** A buyer gets a key that activates it. */
  hasKey?: true
  /** A trial can be fetched without a purchase. */
  isTried?: true
}

const VIDEO = { medium: 'film', needsLicense: true } as const
const AUDIO = { medium: 'audio', needsLicense: true } as const
const FILE = { medium: 'software', needsLicense: true, hasKey: true, isTried: true } as const
const PACKAGE = { medium: 'course', needsLicense: true } as const

export const WEB_ACCESS = 3
export const HD_VIDEO = 9
export const PHYSICAL = 6
export const SERVICE = 17
export const VARIATION = 21

/** Every type of the API. 0, 2 and 10 to 15 are reserved. */
export const PRODUCT_TYPES: Readonly<Record<number, ProductType>> = {
  1: { name: 'video (SD)', ...VIDEO },
  [WEB_ACCESS]: { name: 'web access', medium: 'access' },
  4: { name: 'software and generic files', ...FILE },
  5: { name: 'audio collection (MP3)', ...AUDIO },
  [PHYSICAL]: { name: 'physical', medium: 'goods', ships: true },
  7: { name: 'package (HTML or PDF)', ...PACKAGE },
  8: { name: 'collection', medium: 'collection' },
  [HD_VIDEO]: { name: 'video (HD)', ...VIDEO },
  16: { name: 'e-book (ePub)', medium: 'book', needsLicense: true },
  [SERVICE]: { name: 'service', medium: 'service' },
  // An app is a program too: it has keys and can be tried. It may be sold without a license.
  18: { name: 'app', medium: 'software', hasKey: true, isTried: true },
  19: { name: 'theme', medium: 'other' },
  20: { name: 'certificate', medium: 'other' },
  [VARIATION]: { name: 'variation', medium: 'collection' },
  22: { name: 'VR video', ...VIDEO },
  23: { name: 'audio track', ...AUDIO },
  24: { name: 'audio album', ...AUDIO },
  25: { name: 'other', medium: 'other' },
  26: { name: 'access group', medium: 'access' },
  27: { name: 'generic file', ...FILE },
  28: { name: 'template', medium: 'other' },
  29: { name: 'HTML package', ...PACKAGE },
  30: { name: 'SCORM package', ...PACKAGE },
}

/** The types of which something is true, in their order. */
export function typesWith(isMeant: (type: ProductType) => boolean): readonly number[] {
  return Object.entries(PRODUCT_TYPES).flatMap(([type, facts]) => (isMeant(facts) ? Number(type) : []))
}

/** The types of a medium. */
export function typesOf(medium: Medium): readonly number[] {
  return typesWith((type) => type.medium === medium)
}

/** The medium of a type; a type that nobody knows is something else. */
export function mediumOf(type: number): Medium {
  return PRODUCT_TYPES[type]?.medium ?? 'other'
}
