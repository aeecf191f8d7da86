import { OWN_ADDRESS } from '#platform/own-address.ts'
import { PICTURE_WIDTHS, parsePictureName, sizeName } from './names.ts'
import { type Picture, picturePath } from './rules.ts'

/** Where a picture is: at the address it was given until the service has its own copy. */
export function pictureSrc(companyId: number, picture: Picture): string {
  const path = picturePath(companyId, picture)
  return path === undefined ? picture.source_url : `${OWN_ADDRESS}${path}`
}

/** Where a picture's smaller forms are, narrowest first; there are none until the service has its own copy. */
export function pictureSizes(companyId: number, picture: Picture): { width: number; src: string }[] {
  const name = picture.state === 'stored' ? parsePictureName(picture.file ?? '') : undefined
  if (name === undefined) return []
  const folder = `${OWN_ADDRESS}/pictures/${companyId}/${picture.id}`
  return PICTURE_WIDTHS.map((width) => ({ width, src: `${folder}/${sizeName(name.hash, width)}` }))
}
