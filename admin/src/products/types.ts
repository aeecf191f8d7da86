/** The types of products that an owner can make here, in the order of the picker. */
export const MAKEABLE = [9, 24, 16, 4, 6, 17] as const

const VIDEO: ReadonlySet<number> = new Set([1, 9, 22])
const GOODS: ReadonlySet<number> = new Set([6])
const WITHOUT_FILES: ReadonlySet<number> = new Set([3, 6, 8, 17, 20, 21, 26])

/** Which fields and cards of the editor a type has. */
export function partsOf(type: number) {
  return {
    hasRuntime: VIDEO.has(type),
    hasVersions: VIDEO.has(type),
    hasStock: GOODS.has(type),
    hasLicenses: !GOODS.has(type) && type !== 17,
    hasFiles: !WITHOUT_FILES.has(type),
  }
}
