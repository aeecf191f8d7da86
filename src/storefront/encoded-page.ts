import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ENCODERS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes),
}

export type Encoding = keyof typeof ENCODERS

/** Those in which a page can be sent, the best one first. */
export const ENCODINGS: Encoding[] = ['br', 'gzip']

export type EncodedPage = { size: number; as: (encoding: Encoding | null) => Buffer }

/** Compresses a page once for all browsers that accept the same encoding. */
export function createEncodedPage(page: string): EncodedPage {
  const plain = Buffer.from(page)
  const made = new Map<Encoding, Buffer>()
  return {
    size: plain.length,
    as(encoding) {
      if (encoding === null) return plain
      const bytes = made.get(encoding) ?? ENCODERS[encoding](plain)
      made.set(encoding, bytes)
      return bytes
    },
  }
}
