import type { IconName } from '../ui/icons.tsx'
import { PRODUCT_TYPES, type ProductType } from './types.gen.ts'

/** The types that most shops sell, in the order of the picker, and the others that an owner can make. */
export const COMMON = [9, 24, 16, 4, 6, 17, 8] as const
export const OTHERS = [1, 23, 27, 7, 29, 30, 3, 21] as const
export const MADE_HERE = [...COMMON, ...OTHERS] as const

/** The drawing of each kind of thing. */
const ICONS: Readonly<Record<string, IconName>> = {
  film: 'film',
  audio: 'audio',
  book: 'book',
  software: 'software',
  goods: 'products',
  collection: 'collection',
  service: 'customers',
  course: 'book',
  access: 'key',
}

export const iconOf = (type: number): IconName => ICONS[PRODUCT_TYPES[type]?.medium ?? ''] ?? 'file'

const UNKNOWN: ProductType = { medium: 'other', use: 'open', hasFiles: true }

/** Which fields and cards of the editor a type has. An unknown type is treated as content with files. */
export function partsOf(type: number) {
  const { medium, use, ships, hasFiles, hasVersions, isHd, needsLicense, isTried } = PRODUCT_TYPES[type] ?? UNKNOWN
  return {
    medium,
    hasRuntime: use === 'watch' || use === 'listen',
    /** Genres, people and an age rating. */
    isWork: use === 'watch' || use === 'listen' || use === 'read',
    hasVersions: hasVersions === true,
    isHd: isHd === true,
    hasStock: ships === true,
    use,
    hasLicenses: use !== undefined,
    hasFiles: hasFiles === true,
    /** Without a file there is nothing to deliver. */
    needsFile: needsLicense === true,
    hasTrial: isTried === true,
    isCollection: medium === 'collection',
    /** An offer can be for several people, such as a class. */
    hasUsers: use !== undefined,
  }
}
