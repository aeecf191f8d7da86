import { PRODUCT_TYPES } from './types.gen.ts'

/** The types of products that an owner can make here, in the order of the picker. */
export const MAKEABLE = [9, 24, 16, 4, 6, 17] as const

/** Which fields and cards of the editor a type has. An unknown type is treated as content with files. */
export function partsOf(type: number) {
  const { use, ships, hasFiles, hasVersions, isHd } = PRODUCT_TYPES[type] ?? { use: 'open', hasFiles: true }
  return {
    hasRuntime: use === 'watch',
    hasVersions: hasVersions === true,
    isHd: isHd === true,
    hasStock: ships === true,
    hasLicenses: use !== undefined,
    hasFiles: hasFiles === true,
  }
}
