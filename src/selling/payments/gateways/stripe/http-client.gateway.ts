import type Stripe from 'stripe'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { sendRequest } from '../request.gateway.ts'

/** Sends the requests of Stripe's library through the one guarded client of the service. */
export function stripeHttpClient(outbound: Outbound): Stripe.HttpClient {
  return {
    getClientName: () => 'licet',
    async makeRequest(host, port, path, method, headers, requestData, protocol, timeoutMs) {
      const answer = await sendRequest(outbound, `${protocol}://${host}:${port}${path}`, {
        method,
        headers: textsOf(headers),
        body: requestData === '' ? null : requestData,
        timeoutMs,
      })
      const { statusCode } = answer
      return {
        getStatusCode: () => statusCode,
        getHeaders: () => textsOf(answer.headers),
        getRawResponse: () => ({ statusCode }),
        toStream() {
          throw new Error('no request asks for a stream')
        },
        toJSON: async () => JSON.parse(answer.text),
      }
    },
  }
}

function textsOf(headers: object): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
