import type Stripe from 'stripe'
import type { Connected, Connection } from '../gateway.ts'
import { openStripe } from './client.gateway.ts'
import { EVENTS } from './events.gateway.ts'

/**
 * Asks Stripe whether it takes a secret key, and sees to it that Stripe sends its events to the service. Stripe shows the secret
 * of a webhook once, when it is made: one whose secret we do not have is made again.
 */
export async function connectStripe({ keys = {}, url, webhookUrl, outbound }: Connection): Promise<Connected> {
  const { secret_key = '', webhook_secret = '' } = keys
  const { default: StripeClient } = await import('stripe')
  const { errors } = StripeClient
  const stripe = await openStripe({ secret_key, outbound, url })
  try {
    const account = await nameOf(stripe)
    return { kind: 'connected', account, ...(await ensureWebhook(stripe, webhookUrl, webhook_secret)) }
  } catch (error) {
    // What a restricted key may not do is said by Stripe in words that name the missing permission.
    if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
      return { kind: 'refused', reason: error.message }
    throw error
  }

  /** A restricted key may take payments without being allowed to read who owns the account. */
  async function nameOf({ accounts }: Stripe): Promise<string> {
    try {
      const { settings, business_profile, id } = await accounts.retrieveCurrent()
      return business_profile?.name || settings?.dashboard.display_name || id
    } catch (error) {
      if (error instanceof errors.StripePermissionError) return ''
      throw error
    }
  }

  async function ensureWebhook(
    { webhookEndpoints }: Stripe,
    address: string,
    known: string,
  ): Promise<Pick<Extract<Connected, { kind: 'connected' }>, 'keys' | 'webhookRefusal'>> {
    try {
      for await (const endpoint of webhookEndpoints.list({ limit: 100 })) {
        if (endpoint.url !== address) continue
        if (endpoint.status === 'enabled' && known !== '') {
          await addEvents(endpoint)
          return { keys: {} }
        }
        await webhookEndpoints.del(endpoint.id)
      }
      const { secret = '' } = await webhookEndpoints.create({ url: address, enabled_events: [...EVENTS] })
      return { keys: { webhook_secret: secret } }
    } catch (error) {
      // Such as an address that Stripe cannot reach. Payments work without events, only later.
      if (error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripePermissionError)
        return { keys: {}, webhookRefusal: error.message }
      throw error
    }

    /** One that was made by an earlier version, or by hand, may not send all of them. */
    async function addEvents({ id, enabled_events }: Stripe.WebhookEndpoint): Promise<void> {
      const isComplete = EVENTS.every((event) => enabled_events.includes(event)) || enabled_events.includes('*')
      if (!isComplete) await webhookEndpoints.update(id, { enabled_events: [...EVENTS] })
    }
  }
}
