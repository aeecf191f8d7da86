import type { Vault } from '#platform/identity/vault.ts'

/** A book that everybody may read: the sample of a shop. */
export type SampleReading = Pick<OwnReading, 'company' | 'shop' | 'file' | 'parent' | 'expires'> & { sample: true }

export type Reading = OwnReading | SampleReading

/** Everything that the address of a customer's open book is bound to. */
export type OwnReading = {
  company: number
  /** The shop on whose reader host the book opens. */
  shop: number
  entitlement: number
  customer: number
  file: number
  /** The key of the customer's session: signing out closes the book. */
  session: string
  /** The origin of the page that shows the book. */
  parent: string
  /** Seconds since 1970. */
  expires: number
}

export const READING_SECONDS = 6 * 3600
const PURPOSE = 'open books'

export type ReaderTokens = {
  seal(reading: Reading): string
  /** Undefined for a token that is forged or has expired. */
  open(token: string, now: Date): Reading | undefined
}

export function createReaderTokens(vault: Vault): ReaderTokens {
  return {
    seal: (reading) => vault.seal(PURPOSE, JSON.stringify(reading)).toString('base64url'),
    open(token, now) {
      try {
        const reading: Reading = JSON.parse(vault.open(PURPOSE, Buffer.from(token, 'base64url')))
        return reading.expires * 1000 > now.getTime() ? reading : undefined
      } catch {
        return undefined
      }
    },
  }
}
