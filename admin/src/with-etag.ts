/** Reads something with the version that a change of it names. */
export async function withEtag<What extends string, Read>(
  what: What,
  read: (onHeaders: (headers: Headers) => void) => Promise<Read>,
) {
  let etag = ''
  const value = await read((headers) => {
    etag = headers.get('etag') ?? ''
  })
  return { [what]: value, etag } as Record<What, Read> & { etag: string }
}

/** Says which version a change is of; without one it overwrites whatever there is. */
export const matching = (etag: string | undefined) => (etag === undefined ? {} : { ifMatch: etag })
