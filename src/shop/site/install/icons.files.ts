import { createIcons, type FindIcon } from '#catalog/pictures/icons.files.ts'
import type { Files } from '#platform/files/files.ts'

export function createShopIcons(files: Files): FindIcon {
  return createIcons(files)
}
