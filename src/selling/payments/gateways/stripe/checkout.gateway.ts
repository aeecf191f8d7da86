import type Stripe from 'stripe'
import { machineClock } from '#platform/clock.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { UNFINISHED_MINUTES } from '../../limits.facts.ts'
import type { PaymentState } from '../../state.ts'
import type { Gateway, PaymentContext } from '../gateway.ts'
import { chargeAgain, describeMeans } from './charges.gateway.ts'
import { openStripe } from './client.gateway.ts'
import { readEvent, reportOf, reportOfIntent } from './events.gateway.ts'
import { carryOutOnce } from './once.gateway.ts'
import { refundIntent } from './refunds.gateway.ts'
import { isTimely, toMinorUnits } from './rules.ts'

/** How old a signed event may be, and how far ahead the clock of Stripe. */
const TOLERANCE_SECONDS = 300
const DESCRIPTION_MAX = 200

/** The keys of a company at Stripe. */
type StripeSecrets = { secret_key: string; webhook_secret: string }

export type StripeOptions = {
  secrets: StripeSecrets
  outbound: Outbound
  url: string
  webhookUrl: string
  companyId: number
  /** How far the clock of a sandbox is ahead of that of the world, which is Stripe's. */
  aheadMs: number
}

/**
 * Stripe Checkout: the customer pays on a page of Stripe, which asks for a second factor itself, and comes back. The page of
 * the shop needs no script.
 */
export function stripeGateway(options: StripeOptions): Gateway {
  let client: Promise<Stripe> | undefined
  const { secrets, outbound, url, webhookUrl, aheadMs } = options
  const home = new URL('/', webhookUrl).href
  const open = () => (client ??= openStripe({ secret_key: secrets.secret_key, outbound, url }))
  const opened = async () => ({ stripe: await open(), errors: (await import('stripe')).default.errors })
  return {
    async create(payment, context) {
      const units = toMinorUnits(payment.amount_cents, payment.currency)
      if (units === undefined) return { kind: 'reported', report: { kind: 'failed', failure: 'amount_not_payable' } }
      const { stripe, errors } = await opened()
      const { sessions } = stripe.checkout
      // Another browser may know the shop by another host, and the same key with another request would be refused.
      if (payment.external_id !== null) {
        const known = await sessions.retrieve(payment.external_id)
        if (known.status !== 'open' || known.url === null) return { kind: 'reported', report: reportOf(known) }
        return { kind: 'redirect', url: known.url, externalId: known.id }
      }
      try {
        const session = await carryOutOnce(errors, {
          key: `licet-payment-${payment.token}`,
          // Nobody knows the address of a session whose answer was lost, so nobody pays there.
          find: async () => undefined,
          send: (idempotencyKey) => sessions.create(sessionOf(payment, units, context, aheadMs), { idempotencyKey }),
        })
        if (session.url === null) throw new Error(`session ${session.id} has no address`)
        return { kind: 'redirect', url: session.url, externalId: session.id }
      } catch (error) {
        // Such as an amount that is too small, or a currency that the account cannot take.
        if (error instanceof errors.StripeInvalidRequestError)
          return { kind: 'reported', report: { kind: 'failed', failure: error.code ?? 'refused' } }
        throw error
      }
    },

    async confirm({ external_id, reference }) {
      if (external_id === null && reference === null) return { kind: 'open' }
      const { checkout, paymentIntents } = await open()
      if (external_id !== null) return reportOf(await checkout.sessions.retrieve(external_id))
      // It was charged without the customer, and so without a session.
      return reportOfIntent(await paymentIntents.retrieve(reference ?? ''))
    },

    async expire({ external_id }) {
      if (external_id === null) return { kind: 'open' }
      const { stripe, errors } = await opened()
      const { sessions } = stripe.checkout
      try {
        // No key of ours: Stripe would answer another try with the error of the first one.
        return reportOf(await sessions.expire(external_id))
      } catch (error) {
        // The customer has finished in the meantime, or the session has ended by itself.
        if (error instanceof errors.StripeInvalidRequestError) return reportOf(await sessions.retrieve(external_id))
        throw error
      }
    },

    refund: async (payment, amountCents, key) => refundIntent(await opened(), payment, amountCents, key),

    chargeAgain: async (earlier, payment) => chargeAgain({ ...(await opened()), home }, earlier, payment),

    describeMeans: async (earlier) => describeMeans(await opened(), earlier),

    async readWebhook({ headers, body }) {
      const signature = headers['stripe-signature']
      const { webhook_secret } = options.secrets
      if (typeof signature !== 'string' || webhook_secret === '') return undefined
      if (!isTimely(signature, machineClock.now().getTime() / 1000, TOLERANCE_SECONDS)) return undefined
      const { webhooks } = await open()
      const event = eventIn(() => webhooks.constructEvent(body, signature, webhook_secret, TOLERANCE_SECONDS))
      return event === undefined ? undefined : readEvent(event, options.companyId)
    },
  }
}

/** The library throws errors of many kinds over a signature that is none, and over a text that is no event. */
function eventIn(construct: () => Stripe.Event): Stripe.Event | undefined {
  try {
    return construct()
  } catch {
    return undefined
  }
}

/** Made from the stored payment alone, so that the same key always comes with the same request. */
function sessionOf(
  payment: PaymentState,
  units: number,
  context: PaymentContext,
  aheadMs: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    licet_company: String(payment.company_id),
    licet_order: String(payment.order_id),
    licet_payment: String(payment.id),
  }
  const currency = payment.currency.toLowerCase()
  const description = context.description.slice(0, DESCRIPTION_MAX)
  const common = {
    client_reference_id: String(payment.id),
    customer_email: context.email,
    success_url: context.returnUrl,
    cancel_url: context.cancelUrl,
    locale: localeOf(context.language),
    expires_at: Math.floor((payment.created_at.getTime() - aheadMs) / 1000) + UNFINISHED_MINUTES * 60,
    // Means of payment belong to a customer.
    ...(context.keepsMeans ? { customer_creation: 'always' as const } : {}),
  }
  if (context.keepsMeans && units === 0)
    return {
      ...common,
      mode: 'setup',
      currency,
      // Stripe names no currency where nothing is paid.
      metadata: { ...metadata, licet_currency: payment.currency },
      setup_intent_data: { description, metadata },
    }
  return {
    ...common,
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount: units, product_data: { name: description } },
      },
    ],
    metadata,
    payment_intent_data: {
      description,
      metadata,
      ...(context.keepsMeans ? { setup_future_usage: 'off_session' } : {}),
    },
  }
}

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt'] as const

/** Stripe chooses by the browser where the shop has another language. */
function localeOf(language: string): (typeof LOCALES)[number] | 'auto' {
  return LOCALES.find((locale) => locale === language) ?? 'auto'
}
