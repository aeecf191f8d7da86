/** A picture as it is kept: shown from where it was given until the service has a copy of its own. */
export type Picture = { id: number; source_url: string; state: string; file: string | null; position: number | null }

/** Where the service serves its copy, or undefined while there is none. */
export function picturePath(companyId: number, picture: Picture): string | undefined {
  if (picture.state !== 'stored' || picture.file === null) return undefined
  return `/pictures/${companyId}/${picture.id}/${picture.file}`
}

/** Is this the address that the picture is shown under, or was given with? */
export function isAddressOf(companyId: number, picture: Picture, src: string): boolean {
  const path = picturePath(companyId, picture)
  return src === picture.source_url || (path !== undefined && src.endsWith(path))
}

export type PictureChange = 'keep' | 'remove' | { fetch: string }

/** What a `src` in a body asks for: an address that is already the picture's changes nothing, an empty one neither. */
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

/** How one set of a resource's pictures becomes another. */
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
