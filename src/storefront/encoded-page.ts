import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

/** The bytes of a page as a browser accepts them. Undefined: not compressed. */
export type Encoded = { bytes: Buffer; encoding: string | undefined }

const ENCODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => gzipSync(bytes),
}

/** Compresses a page once for all browsers that accept the same encoding. */
export function createEncodedPage(page: string): { size: number; as: (accepted: string) => Encoded } {
  const plain = Buffer.from(page)
  const made = new Map<string, Buffer>()
  return {
    size: plain.length,
    as(accepted) {
      const encoding = negotiate(accepted, Object.keys(ENCODERS)) ?? undefined
      const encode = encoding === undefined ? undefined : ENCODERS[encoding]
      if (encoding === undefined || encode === undefined) return { bytes: plain, encoding: undefined }
      const bytes = made.get(encoding) ?? encode(plain)
      made.set(encoding, bytes)
      return { bytes, encoding }
    },
  }
}
