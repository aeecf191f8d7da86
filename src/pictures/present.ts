import { OWN_ADDRESS } from '#platform/own-address.ts'
import { type Picture, picturePath } from './rules.ts'

/** The URL of a picture: the given one until the service has its own copy. */
export function pictureSrc(companyId: number, picture: Picture): string {
  const path = picturePath(companyId, picture)
  return path === undefined ? picture.source_url : `${OWN_ADDRESS}${path}`
}
