import { Check } from 'typebox/value'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { PaymentState } from '../../state.ts'
import type { Gateway, GatewayEvent, PaymentContext } from '../gateway.ts'
import {
  type MollieAmount,
  MollieCustomer,
  MollieMetadata,
  MolliePayment,
  MollieRefund,
  MollieRefundMetadata,
  MollieRefunds,
} from './answers.schema.ts'
import { expectDone, openApi } from './api.gateway.ts'
import { chargeAgain, describeMeans, firstOf, openCustomer, toldOf } from './recurring.gateway.ts'
import { hasFailed, isMoneyMissing, localeOf, reportOf, toAmount, toCents } from './rules.ts'

const DESCRIPTION_MAX = 200
/** As many as a page has at most, which is more than an order has. */
const REFUNDS_MAX = 250
const WEBHOOK_BYTES_MAX = 1000

export type MollieOptions = { companyId: number; key: string; url: string; webhookUrl: string; outbound: Outbound }

/** Mollie's payments: the customer chooses a method and pays on a page of Mollie, and comes back. */
export function mollieGateway(options: MollieOptions): Gateway {
  const api = openApi(options)
  const read = async (id: string) => expectDone(MolliePayment, await api.get(`/payments/${id}`))

  return {
    async create(payment, context) {
      const amount = toAmount(payment.amount_cents, payment.currency)
      if (amount === undefined) return { kind: 'reported', report: { kind: 'failed', failure: 'amount_not_payable' } }
      if (payment.external_id !== null) return started(await read(payment.external_id))
      const customer = context.keepsMeans ? await openCustomer(api, payment, context) : undefined
      if (customer?.kind === 'refused')
        return { kind: 'reported', report: { kind: 'failed', failure: customer.reason } }
      const first = customer === undefined ? {} : firstOf(expectDone(MollieCustomer, customer), payment)
      const body = { ...paymentOf(payment, amount, context, options.webhookUrl), ...first }
      const answered = await api.post('/payments', body, `licet-payment-${payment.token}`)
      if (answered.kind === 'refused') return { kind: 'reported', report: { kind: 'failed', failure: answered.reason } }
      return started(expectDone(MolliePayment, answered))
    },

    async confirm({ external_id, reference }) {
      // What was charged without the customer has only the name of its money.
      const id = external_id ?? reference
      return id === null ? { kind: 'open' } : reportOf(await read(id))
    },

    async expire({ external_id }) {
      if (external_id === null) return { kind: 'open' }
      const answered = await api.delete(`/payments/${external_id}`)
      // Most methods cannot be ended, and the customer may have finished in the meantime.
      return reportOf(answered.kind === 'refused' ? await read(external_id) : expectDone(MolliePayment, answered))
    },

    async refund({ reference, currency, company_id, order_id, id }, amountCents, key) {
      const amount = toAmount(amountCents, currency)
      if (reference === null || amount === undefined)
        return { kind: 'refused', reason: 'Mollie cannot refund this amount.', isFinal: true }
      const refunds = `/payments/${reference}/refunds`
      // Mollie forgets keys after an hour, and a worker may come back later.
      const made = expectDone(MollieRefunds, await api.get(`${refunds}?limit=${REFUNDS_MAX}`))._embedded.refunds
      const known = made.find(({ metadata }) => Check(MollieRefundMetadata, metadata) && metadata.licet_refund === key)
      if (known !== undefined) return returned(known)
      const metadata = { licet_company: String(company_id), licet_payment: String(id), licet_refund: key }
      const answered = await api.post(refunds, { amount, description: `#${order_id}`, metadata }, key)
      if (answered.kind === 'refused') return { kind: 'refused', reason: answered.reason, isFinal: true }
      return returned(expectDone(MollieRefund, answered))
    },

    chargeAgain: (earlier, payment) => chargeAgain({ api, webhookUrl: options.webhookUrl }, earlier, payment),

    describeMeans: (earlier) => describeMeans(api, earlier),

    /** Mollie signs nothing and says only which payment has changed, so it is asked. Who invents an id learns nothing. */
    async readWebhook({ body }) {
      if (body.length > WEBHOOK_BYTES_MAX) return undefined
      const id = new URLSearchParams(body.toString()).get('id') ?? ''
      if (!/^tr_\w{1,100}$/.test(id)) return undefined
      const answered = await api.get(`/payments/${id}?embed=refunds`)
      return answered.kind === 'absent' ? [] : eventsOf(expectDone(MolliePayment, answered), options.companyId)
    },
  }
}

/** A payment that the customer can still pay leads to its page. */
function started(payment: MolliePayment): Awaited<ReturnType<Gateway['create']>> {
  const report = reportOf(payment)
  if (report.kind !== 'open') return { kind: 'reported', report }
  const url = payment._links.checkout?.href
  if (url === undefined) throw new Error(`payment ${payment.id} has no address`)
  return { kind: 'redirect', url, externalId: payment.id }
}

function returned(refund: MollieRefund): Awaited<ReturnType<Gateway['refund']>> {
  if (hasFailed(refund)) return { kind: 'refused', reason: refund.status, isFinal: true }
  return { kind: 'done', externalId: refund.id }
}

/** Companies may share an account at Mollie, so payments of others are left out. */
function eventsOf(payment: MolliePayment, companyId: number): GatewayEvent[] {
  const { id: reference, metadata, amountRefunded, amountChargedBack, _embedded } = payment
  if (!Check(MollieMetadata, metadata) || metadata.licet_company !== String(companyId)) return []
  const events: GatewayEvent[] = [
    { kind: 'report', paymentId: Number(metadata.licet_payment), report: reportOf(payment) },
  ]
  if (amountRefunded && toCents(amountRefunded) > 0)
    events.push({ kind: 'refunded', reference, refundedCents: toCents(amountRefunded) })
  if (isMoneyMissing(_embedded?.refunds ?? [])) events.push({ kind: 'refund failed', reference })
  if (amountChargedBack && toCents(amountChargedBack) > 0) events.push({ kind: 'disputed', reference })
  return events
}

/** Customers who cancel come back as others do, so that the page of the order can say what became of the payment. */
function paymentOf(payment: PaymentState, amount: MollieAmount, context: PaymentContext, webhookUrl: string): object {
  const locale = localeOf(context.language)
  return {
    amount,
    description: context.description.slice(0, DESCRIPTION_MAX),
    redirectUrl: context.returnUrl,
    ...(locale === undefined ? {} : { locale }),
    ...toldOf(payment, webhookUrl),
  }
}
