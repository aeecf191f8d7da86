import type Stripe from 'stripe'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { stripeHttpClient } from './http-client.gateway.ts'

const TIMEOUT_MS = 20_000
const RETRIES_MAX = 1

export type StripeClientOptions = { secret_key: string; outbound: Outbound; url: string }

/** The library of Stripe, loaded with the first payment, so that a start does not wait for it. */
export async function openStripe({ secret_key, outbound, url }: StripeClientOptions): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  const { protocol, hostname, port } = new URL(url)
  const isHttp = protocol === 'http:'
  return new StripeClient(secret_key, {
    httpClient: stripeHttpClient(outbound),
    protocol: isHttp ? 'http' : 'https',
    host: hostname,
    port: port || (isHttp ? 80 : 443),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    appInfo: { name: 'Licet' },
  })
}
