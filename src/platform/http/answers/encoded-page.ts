import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ENCODERS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes),
}

type Encoding = keyof typeof ENCODERS

/** `headers` are names and values in turn. */
export type EncodedPage = {
  size: number
  as: (encoding: Encoding | null) => { headers: readonly string[]; body: Buffer }
}

/** Compresses a page once for all browsers that accept the same encoding. */
export function createEncodedPage(page: string, headers: readonly string[]): EncodedPage {
  const plain = { headers, body: Buffer.from(page) }
  const made = new Map<Encoding, typeof plain>()
  return {
    size: plain.body.length,
    as(encoding) {
      if (encoding === null) return plain
      let encoded = made.get(encoding)
      if (encoded === undefined) {
        encoded = { headers: [...headers, 'content-encoding', encoding], body: ENCODERS[encoding](plain.body) }
        made.set(encoding, encoded)
      }
      return encoded
    },
  }
}
