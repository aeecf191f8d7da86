import { createIcons, type FindIcon } from '#pictures/icons.ts'
import type { Files } from '#platform/files.ts'

export function createShopIcons(files: Files): FindIcon {
  return createIcons(files)
}
