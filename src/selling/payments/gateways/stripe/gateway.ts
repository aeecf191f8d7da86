import type { GatewayKind } from '../gateway.ts'
import { keyInWords } from '../keys.rules.ts'
import { stripeGateway } from './checkout.gateway.ts'
import { connectStripe } from './connect.gateway.ts'
import { StripeInput, StripeSettings } from './schema.ts'

/** Cards and other ways of Stripe, on a page of Stripe. */
export const stripe: GatewayKind<'Stripe', typeof StripeSettings, typeof StripeInput> = {
  name: 'Stripe',
  settings: StripeSettings,
  input: StripeInput,
  keys: [
    { field: 'secret_key', form: /^[sr]k_(test|live)_\w+$/, example: 'sk_live_' },
    { field: 'webhook_secret', form: /^whsec_[\w+/=]+$/, example: 'whsec_' },
  ],
  isTestKey: (key) => /^[sr]k_test_/.test(key),
  isPretended: false,
  signsNews: true,
  isElsewhere: true,
  apiUrl: 'https://api.stripe.com',
  show: ({ enabled, key_hint, is_test, keys, webhookUrl }) => ({
    enabled,
    secret_key_hint: key_hint,
    test_mode: is_test,
    has_webhook_secret: (keys.webhook_secret ?? '') !== '',
    webhook_url: webhookUrl,
  }),
  inWords: (settings) => [
    keyInWords('Stripe', settings),
    `Webhook for Stripe: ${settings.webhook_url}${settings.has_webhook_secret ? '' : ' (signing secret missing)'}`,
  ],
  about: 'cards and other ways of Stripe',
  options: [
    { flag: 'stripe-key-file', field: 'secret_key', about: 'file with the secret key', reads: 'file' },
    {
      flag: 'stripe-webhook-secret-file',
      field: 'webhook_secret',
      about: 'file with the signing secret of the webhook',
      reads: 'file',
    },
  ],
  connect: connectStripe,
  open: ({ companyId, keys, url, webhookUrl, outbound, aheadMs }) =>
    keys?.secret_key === undefined
      ? undefined
      : stripeGateway({
          secrets: { secret_key: keys.secret_key, webhook_secret: keys.webhook_secret ?? '' },
          companyId,
          url,
          webhookUrl,
          outbound,
          aheadMs,
        }),
}
