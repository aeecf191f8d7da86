import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { MAIL_WIDTHS, type MailWidth, mailSize, pictureFolder } from './names.rules.ts'
import { type Cover, type Picture, picturePath } from './rules.ts'

/** The path of a picture in a size for mails. */
export function coverPath({ company_id, id, file }: Cover, width: MailWidth = MAIL_WIDTHS.line): string {
  return `/${pictureFolder(company_id, id)}/${mailSize(file, width)}`
}

/** The URL of a picture: the given one until the service has its own copy. */
export function pictureSrc(companyId: number, picture: Picture): string {
  const path = picturePath(companyId, picture)
  return path === undefined ? picture.source_url : `${OWN_ADDRESS}${path}`
}
