import type { Means } from '#selling/payments/gateways/gateway.ts'
import type { Offer } from '#selling/payments/queries.ts'
import type { GatewayName } from '#selling/payments/state.ts'
import type { Interval } from '#selling/plans/state.ts'
import type { OpenPayment } from '#selling/subscriptions/owed/state.ts'
import type { SubscriptionPageValues } from './queries.ts'
import type { OfferedChange, SubscriptionCard } from './state.ts'

export type AccountSubscriptionsPage = {
  /** Those that run first. */
  subscriptions: SubscriptionCard[]
}

export type AccountSubscriptionPage = SubscriptionPageValues & {
  /** By what the customer knows the card or account that is charged; nothing if none is saved, or the gateway does not say. */
  means: Means | undefined
  /** How periods are paid. */
  gateway: GatewayName
  /** Does the change of the means wait for a second step of the customer? */
  is_second_step: boolean
  /** Were other means refused? */
  means_failed: boolean
  /** What was just done, as the key of a text. */
  notice?: string | undefined
  /** Why something was refused, as the key of a text. */
  alarm?: string | undefined
}

export type AccountSubscriptionPlanPage = {
  /** Why it was refused, as the key of a text. */
  alarm: string | undefined
  subscription: { id: number; title: string; period_end: Date }
  plan: { id: number; title: string; interval: Interval; interval_count: number }
  offers: OfferedChange[]
}

type PayForm = {
  gateways: Offer[]
  means: Means | undefined
  /** The way to pay that is chosen. */
  chosen: GatewayName | undefined
  card: string
  /** What is wrong: `gateway`, `card` or `declined`. */
  error: string | undefined
}

export type AccountSubscriptionMeansPage = PayForm & { subscription: { id: number } }

export type SubscriptionPayPage = PayForm & {
  /** `open`: it can be paid, `under_way`: the money is on its way, `paid`: it goes on, `over`: nobody pays for it any more. */
  state: 'open' | 'under_way' | 'paid' | 'over'
  subscription: Pick<SubscriptionCard, 'id' | 'title' | 'plan'>
  /** The last part of the address. */
  token: string
  /** Nothing if it is not open. */
  open: OpenPayment | undefined
  /** Until when it was paid, if it was. */
  period_end: Date
  /** Can the same card or account be charged again? */
  may_try_again: boolean
  is_second_step: boolean
  is_test: boolean
  /** Is the visitor its customer, and signed in? */
  is_own: boolean
  minutes?: number | undefined
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The subscriptions of the customer. */
    'account-subscriptions': AccountSubscriptionsPage
    /** One subscription of the customer. */
    'account-subscription': AccountSubscriptionPage
    /** What a change to another plan costs, and the form for it. */
    'account-subscription-plan': AccountSubscriptionPlanPage
    /** The form for another card or account. */
    'account-subscription-means': AccountSubscriptionMeansPage
    /** The page behind the link of a mail, on which a period of a subscription is paid. */
    'subscription-pay': SubscriptionPayPage
  }
}
