import { hidden, takeAttempt } from '#identity/attempts/guard.ts'
import type { Policy } from '#identity/attempts/rules.ts'
import type { SignedInCustomer } from '#people/customers/sessions/state.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { Problem } from '#platform/errors/problem.ts'
import { orderName } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { callGateway, openGateway, type PaymentWork } from '#selling/payments/gateways/commands.ts'
import type { Answer, Means, PaymentContext } from '#selling/payments/gateways/gateway.ts'
import { findPayment, listOffers, type Offer } from '#selling/payments/queries.ts'
import { canSaveMeans } from '#selling/payments/rules.ts'
import { confirmPayment, openNextPayment, startPayment } from '#selling/payments/start.commands.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import { advance } from '#selling/subscriptions/charges/charge.worker.ts'
import { changeMeans, settleMeans } from '#selling/subscriptions/charges/means.commands.ts'
import type { SubscriptionState } from '#selling/subscriptions/state.ts'

/** Where the customer comes back to from the page of a gateway, and in which language that page is. */
export type Return = { page: string; language: string }

/** How often a customer can have the same card charged again. Banks look askance at more. */
const AGAIN: Policy = { free: 3, longestSeconds: 6 * 3600, forgetSeconds: 86_400, forgives: 'itself' }

/** Nobody waits longer for the name of a card. */
const NAME_MS = 3000

type Paying = { email: string; description: string; card: string }

/** Pays the periods of subscriptions, and has gateways save other means for them. Gateways are asked between transactions. */
export function createTill(work: PaymentWork) {
  async function start(
    payment: PaymentState,
    { email, description, card }: Paying,
    { page, language }: Return,
  ): Promise<string | undefined> {
    const context: PaymentContext = {
      email,
      description,
      language,
      returnUrl: `${page}?payment=${payment.token}`,
      cancelUrl: page,
      card: card === '' ? undefined : card,
      keepsMeans: true,
    }
    const { next } = await startPayment(work, payment.company_id, payment.id, context)
    return next.kind === 'redirect' ? next.url : undefined
  }

  const startFor = (payment: PaymentState, order: Pick<OrderState, 'id' | 'email'>, card: string, back: Return) =>
    start(payment, { email: order.email, description: orderName(order.id), card }, back)

  async function settle({ company_id, id }: Pick<SubscriptionState, 'company_id' | 'id'>): Promise<void> {
    await advance(work, company_id, id)
  }

  return {
    /** Ways to pay that can be charged again later. A test stays one. */
    async offers(companyId: number, isTest: boolean): Promise<Offer[]> {
      const offers = await listOffers(work.db, companyId)
      return offers.filter(({ name, is_test }) => is_test === isTest && canSaveMeans(name))
    },

    /** Pays an open period. Returns the page of the gateway, if the customer has to go there. */
    async pay(order: OrderState, gateway: GatewayName, card: string, back: Return): Promise<string | undefined> {
      const payment = await openNextPayment(work, order.company_id, order.id, gateway, { card })
      return payment?.status === 'created' && !payment.off_session ? startFor(payment, order, card, back) : undefined
    },

    /** The page of the gateway on which a payment goes on. */
    resume: (payment: PaymentState, order: Pick<OrderState, 'id' | 'email'>, back: Return) =>
      startFor(payment, order, '', back),

    /** Begins to save other means. Returns the page of the gateway, if the customer has to go there. */
    async changeMeans(
      subscription: SubscriptionState,
      customer: SignedInCustomer,
      gateway: GatewayName,
      card: string,
      back: Return,
    ): Promise<string | undefined> {
      const { company_id, id } = subscription
      const payment = await work.change((tx) =>
        changeMeans(tx, { companyId: company_id }, String(id), gateway, work.now(company_id)),
      )
      const paying = { email: customer.email, description: orderName(payment.order_id), card }
      const url = await start(payment, paying, back)
      if (url === undefined) await work.change((tx) => settleMeans(tx, company_id, String(id), work.now(company_id)))
      return url
    },

    /** The customer is back from the gateway, or has answered a second step. */
    async confirm(subscription: SubscriptionState, token: string, answer: Answer): Promise<void> {
      await confirmPayment(work, subscription.company_id, token, answer)
      await settle(subscription)
    },

    /** Charges the means that are saved once more. Returns the seconds to wait if that was tried often. */
    async chargeAgain({ company_id, id }: SubscriptionState): Promise<number> {
      const limit = { key: `charge again ${hidden(`${company_id} ${id}`)}`, policy: AGAIN }
      // A sandbox that goes on by a day must not forget that a card was tried.
      const seconds = await work.change((tx) => takeAttempt(tx, [limit], nowInSeconds(work.clock)))
      if (seconds === 0) await advance(work, company_id, id, { isAsked: true })
      return seconds
    },

    settle,

    /** By what the customer knows the means that are charged; undefined: none are saved, or the gateway does not say. */
    async means({ company_id, means_payment_id, gateway }: SubscriptionState): Promise<Means | undefined> {
      const earlier = means_payment_id === null ? undefined : await findPayment(work.db, company_id, means_payment_id)
      if (earlier === undefined) return undefined
      return within(describe(earlier, gateway), NAME_MS)
    },
  }

  async function describe(earlier: PaymentState, name: GatewayName): Promise<Means | undefined> {
    try {
      const gateway = await openGateway(work, earlier.company_id, name)
      return (await callGateway(name, gateway, async ({ describeMeans }) => describeMeans?.(earlier))) ?? undefined
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }
}

export type Till = ReturnType<typeof createTill>

async function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
