import { readCertificateEnd } from '#platform/outbound/certificate.ts'
import { isEndingSoon } from './rules.ts'
import type { Found } from './state.ts'

/** Certificates are renewed weeks before they end, so it is enough to look now and then. */
const LOOK_EVERY_MS = 3_600_000

/**
 * Remembers until when the certificate of an address is valid. Nobody waits for it: what was seen last counts, and another
 * look is taken behind it.
 */
export function createCertificateWatch(lookEveryMs = LOOK_EVERY_MS) {
  let seen: { address: string; until: Date | undefined } | undefined
  let looked: { address: string; at: number; done: Promise<void> } | undefined

  function look(address: string, now: number): Promise<void> {
    if (looked?.address === address && now - looked.at < lookEveryMs) return looked.done
    const done = readCertificateEnd(address).then((until) => {
      seen = { address, until }
    })
    looked = { address, at: now, done }
    return done
  }

  return {
    /** What is known of the certificate now. */
    find(address: string, now: Date): Found {
      if (!address.startsWith('https:')) return { kind: 'certificate_ending', count: 0 }
      void look(address, now.getTime())
      const until = seen?.address === address ? seen.until : undefined
      const count = until !== undefined && isEndingSoon(until, now) ? 1 : 0
      return { kind: 'certificate_ending', count, subject: new URL(address).host }
    },
    /** For whoever can wait for the first look. */
    look: (address: string, now: Date) => look(address, now.getTime()),
  }
}
