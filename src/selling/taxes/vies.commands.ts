import type { Outbound } from '#platform/outbound/outbound.ts'
import type { VatIdAnswer } from './state.ts'

/** Long enough for most member states, and short enough for a customer who waits. */
const WAIT_MS = 5000
/** More than any answer has. */
const BYTES_MAX = 65_536
const REQUEST_ID_MAX = 50

export type ViesOptions = { outbound: Outbound; url: string; waitMs?: number }

/**
 * Asks the VAT Information Exchange System of the European Union about a VAT id. The seller's own id gets a number for the
 * inquiry. Undefined if there is no answer, for whatever reason: member states are often out of reach for hours.
 */
export async function askVies(
  { outbound, url, waitMs = WAIT_MS }: ViesOptions,
  vatId: string,
  sellerVatId: string,
): Promise<VatIdAnswer | undefined> {
  const seller =
    sellerVatId === '' ? {} : { requesterMemberStateCode: stateOf(sellerVatId), requesterNumber: numberOf(sellerVatId) }
  try {
    const { statusCode, body } = await outbound.request(`${url.replace(/\/$/, '')}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ countryCode: stateOf(vatId), vatNumber: numberOf(vatId), ...seller }),
      signal: AbortSignal.timeout(waitMs),
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > BYTES_MAX) return undefined
      chunks.push(chunk)
    }
    return statusCode === 200 ? readAnswer(JSON.parse(Buffer.concat(chunks).toString())) : undefined
  } catch {
    return undefined
  }
}

/** VAT ids begin with the code of their country, which is EL for Greece. */
const stateOf = (vatId: string) => vatId.slice(0, 2)
const numberOf = (vatId: string) => vatId.slice(2)

/** The answer in what was sent. An error, such as MS_UNAVAILABLE, says nothing about the id. */
function readAnswer(sent: unknown): VatIdAnswer | undefined {
  if (typeof sent !== 'object' || sent === null || !('valid' in sent) || typeof sent.valid !== 'boolean')
    return undefined
  const id = 'requestIdentifier' in sent ? sent.requestIdentifier : ''
  return {
    is_valid: sent.valid,
    request_id: typeof id === 'string' && /^[\w-]*$/.test(id) ? id.slice(0, REQUEST_ID_MAX) : '',
  }
}
