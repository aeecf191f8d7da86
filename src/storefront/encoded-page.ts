import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

const ENCODERS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes),
}

export type Encoding = keyof typeof ENCODERS

/** Those in which a page can be sent, the best one first. */
const ENCODINGS: Encoding[] = ['br', 'gzip']

const REFUSED: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
  gzip: /(?:^|,)\s*gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
}

const ACCEPTED_MAX = 100
const accepted = new Map<string, Encoding | null>()

/** The encoding in which a browser gets a page; null: none. Most browsers accept the same ones. */
export function chooseEncoding(acceptEncoding: string): Encoding | null {
  const known = accepted.get(acceptEncoding)
  if (known !== undefined) return known
  const header = acceptEncoding.toLowerCase()
  // An asterisk stands for all encodings but those that are named, and the negotiator takes it for the first one.
  const chosen = negotiate(
    header,
    ENCODINGS.filter((encoding) => !REFUSED[encoding].test(header)),
  )
  if (accepted.size < ACCEPTED_MAX) accepted.set(acceptEncoding, chosen)
  return chosen
}

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
