import type { IncomingHttpHeaders } from 'node:http'
import { negotiate } from '@fastify/accept-negotiator'

export type Encoding = 'br' | 'gzip'

/** Those in which responses are sent, the best one first. */
export const ENCODINGS: Encoding[] = ['br', 'gzip']

const REFUSED: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
  gzip: /(?:^|,)\s*gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
}

/** The encoding in which a client gets a response; null: none. */
export function chooseEncoding(acceptEncoding: string): Encoding | null {
  const header = acceptEncoding.toLowerCase()
  // An asterisk stands for all encodings but those that are named, and the negotiator takes it for the first one.
  return negotiate(
    header,
    ENCODINGS.filter((encoding) => !REFUSED[encoding].test(header)),
  )
}

/** Replaces what a client accepts by what was chosen, because the plugin that compresses takes an asterisk for gzip. */
export function settleEncoding(headers: IncomingHttpHeaders): void {
  const { 'accept-encoding': accepted } = headers
  if (accepted !== undefined) headers['accept-encoding'] = chooseEncoding(String(accepted)) ?? 'identity'
}
