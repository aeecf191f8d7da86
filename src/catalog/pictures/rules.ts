/** A picture that the service has its own copy of. */
export type Cover = { company_id: number; id: number; file: string }

/** A stored picture, shown from its given URL until the service has its own copy. */
export type Picture = { id: number; source_url: string; state: string; file: string | null; position: number | null }

/** What an icon is made of: the picture of a shop, or a letter in the colours of the shop. */
export type IconSource =
  | { kind: 'picture'; companyId: number; id: number; file: string }
  | { kind: 'letter'; letter: string; colour: string; on: string }

/** The URL of the service's own copy; undefined while there is none. */
export function picturePath(companyId: number, picture: Picture): string | undefined {
  if (picture.state !== 'stored' || picture.file === null) return undefined
  return `/pictures/${companyId}/${picture.id}/${picture.file}`
}

/** Is this the URL that the picture is shown under, or was given with? */
export function isAddressOf(companyId: number, picture: Picture, src: string): boolean {
  const path = picturePath(companyId, picture)
  return src === picture.source_url || (path !== undefined && src.endsWith(path))
}

const OWN_PICTURE = /\/pictures\/([1-9]\d{0,15})\/([1-9]\d{0,15})\/[0-9a-f]{32}\.[a-z]{3,4}$/

/** The id in the address of a picture of the company; undefined for an address elsewhere. */
export function ownPictureId(companyId: number, src: string): number | undefined {
  const [, company, id] = OWN_PICTURE.exec(src) ?? []
  return Number(company) === companyId ? Number(id) : undefined
}

/** Returns the upload that an address names, if nothing uses it yet. */
export type TakeUpload = (src: string) => Picture | undefined

/** Hands out each upload once: where an address is named again, the picture is copied. */
export function handOutUploads(companyId: number, uploads: readonly Picture[]): TakeUpload {
  const free = new Set(uploads)
  return (src) => {
    const upload = [...free].find((picture) => isAddressOf(companyId, picture, src))
    if (upload !== undefined) free.delete(upload)
    return upload
  }
}

/** A picture that was uploaded before, or else one that is still to be fetched. */
export function pictureFrom(
  src: string,
  position: number | null,
  { takeId, takeUpload }: { takeId: () => number; takeUpload?: TakeUpload },
): Picture {
  const upload = takeUpload?.(src)
  if (upload !== undefined) return { ...upload, position }
  return { id: takeId(), source_url: src, state: 'pending', file: null, position }
}

export type PictureChange = 'keep' | 'remove' | { fetch: string }

/**
 * The picture that a `src` in a body requests. A URL that the picture has already, or an empty one, changes nothing.
 */
export function pictureChange(
  companyId: number,
  current: Picture | undefined,
  src: string | null | undefined,
): PictureChange {
  if (src === undefined || src === '') return 'keep'
  if (src === null) return 'remove'
  return current !== undefined && isAddressOf(companyId, current, src) ? 'keep' : { fetch: src }
}

export function isFetchable(src: string): boolean {
  return URL.canParse(src) && /^https?:$/.test(new URL(src).protocol)
}

/** The difference between two sets of a resource's pictures. */
export function comparePictures(before: readonly Picture[], after: readonly Picture[]) {
  const old = new Map(before.map((picture) => [picture.id, picture]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !old.has(id)),
    removed: before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    replaced: after.filter((picture) => old.has(picture.id) && old.get(picture.id)?.source_url !== picture.source_url),
    moved: after.filter((picture) => old.has(picture.id) && old.get(picture.id)?.position !== picture.position),
  }
}
