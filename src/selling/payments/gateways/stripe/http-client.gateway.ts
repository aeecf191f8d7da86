import type Stripe from 'stripe'
import type { Outbound } from '#platform/outbound/outbound.ts'

/** More than any answer of Stripe has. */
const BYTES_MAX = 1_048_576

/** Sends the requests of Stripe's library through the one guarded client of the service. */
export function stripeHttpClient(outbound: Outbound): Stripe.HttpClient {
  return {
    getClientName: () => 'licet',
    async makeRequest(host, port, path, method, headers, requestData, protocol, timeoutMs) {
      const {
        statusCode,
        headers: received,
        body,
      } = await outbound.request(`${protocol}://${host}:${port}${path}`, {
        method,
        headers: textsOf(headers),
        body: requestData === '' ? null : requestData,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > BYTES_MAX) throw new Error(`the answer has more than ${BYTES_MAX} bytes`)
        chunks.push(chunk)
      }
      const text = Buffer.concat(chunks).toString()
      return {
        getStatusCode: () => statusCode,
        getHeaders: () => textsOf(received),
        getRawResponse: () => ({ statusCode }),
        toStream() {
          throw new Error('no request asks for a stream')
        },
        toJSON: async () => JSON.parse(text),
      }
    },
  }
}

function textsOf(headers: object): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
