import { negotiate } from '@fastify/accept-negotiator'

export type Encoding = 'br' | 'gzip'

/** Those in which a response that is kept in memory can be sent, the best one first. */
const ENCODINGS: Encoding[] = ['br', 'gzip']

const REFUSED: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
  gzip: /(?:^|,)\s*gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
}

const ACCEPTED_MAX = 100
const accepted = new Map<string, Encoding | null>()

/** The encoding in which a client gets such a response; null: none. Most clients accept the same ones. */
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
