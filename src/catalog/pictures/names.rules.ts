import { keysOf } from '#platform/wire/typed-entries.ts'
import { PICTURE_TYPES, type PictureExtension } from './formats.facts.ts'

/** The widths in pixels in which a picture is available beside its original. */
export const PICTURE_WIDTHS = [160, 320, 640, 1280] as const

/**
 * The widths in pixels of the pictures in mails, which show them half as wide, so that they are sharp on every screen:
 * beside a line of a bill, beside a gift, and above everything else.
 */
export const MAIL_WIDTHS = { line: 112, gift: 336, lead: 1200 } as const

export type MailWidth = (typeof MAIL_WIDTHS)[keyof typeof MAIL_WIDTHS]

export type PictureWidth = (typeof PICTURE_WIDTHS)[number] | MailWidth

const OF_MAILS: readonly PictureWidth[] = Object.values(MAIL_WIDTHS)

/** A parsed file name of a picture: the original, or one of its sizes. */
export type PictureName = { hash: string; extension: PictureExtension; width: PictureWidth | undefined }

const ID = /^[1-9][0-9]{0,15}$/
const ORIGINAL = /^([0-9a-f]{32})\.(jpg|png|gif|webp|avif)$/
const SIZE = /^([0-9a-f]{32})_(?:(160|320|640|1280)\.webp|(112|336|1200)\.png)$/

export function pictureFolder(companyId: number | string, id: number | string): string {
  return `pictures/${companyId}/${id}`
}

export function originalName(hash: string, extension: PictureExtension): string {
  return `${hash}.${extension}`
}

/** Sizes are WebP, which is the smallest. Outlook and others do not show it, so those for mails are PNG. */
export function sizeFormat(width: PictureWidth): 'webp' | 'png' {
  return OF_MAILS.includes(width) ? 'png' : 'webp'
}

/** The file name of a size. It contains the hash of the original. */
export function sizeName(hash: string, width: PictureWidth): string {
  return `${hash}_${width}.${sizeFormat(width)}`
}

/** The file name of a picture in a size for mails. */
export function mailSize(file: string, width: MailWidth): string {
  return sizeName(file.split('.')[0] ?? '', width)
}

export function isPictureId(text: string): boolean {
  return ID.test(text)
}

/** Parses a file name; undefined if no picture can have it. */
export function parsePictureName(file: string): PictureName | undefined {
  const [, hash, ending] = ORIGINAL.exec(file) ?? []
  const extension = keysOf(PICTURE_TYPES).find((known) => known === ending)
  if (hash !== undefined && extension !== undefined) return { hash, extension, width: undefined }
  const [, sizeHash, pixels, mailPixels] = SIZE.exec(file) ?? []
  const width = [...PICTURE_WIDTHS, ...OF_MAILS].find((known) => known === Number(pixels ?? mailPixels))
  if (sizeHash !== undefined && width !== undefined) return { hash: sizeHash, extension: sizeFormat(width), width }
  return undefined
}
