import { membershipConsentText } from '#selling/orders/withdrawals/consent.rules.ts'
import type { Offer } from '#selling/payments/queries.ts'
import { textsIn } from '#selling/plans/rules.ts'
import { type ClubView, clubView } from '#shop/catalog-pages/memberships/club.present.ts'
import type { Club } from '#shop/catalog-pages/memberships/state.ts'
import { type PlanTimes, timesOf } from '#shop/catalog-pages/memberships/views.present.ts'
import { countriesIn, type NamedCountry, nameOfCountry } from '#shop/site/countries.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { mayWithdraw } from '../rules.ts'
import type { CheckoutDetails } from '../state.ts'
import { type Shown, type Summary, summaryOfQuote } from '../summary.present.ts'
import type { ChosenPlan } from './choice.queries.ts'
import type { PlanQuote } from './quotes.queries.ts'
import { cartOfSignUp, JOIN_FIELDS, termsOf } from './rules.ts'

/** What the customer has entered on the second page, and what was wrong with it. */
export type Said = { chosen?: string; card?: string; consented?: boolean; error?: string }

/** A plan with its price for one customer. Amounts are in cents, and with the tax. */
export type ChosenPlanView = PlanTimes & {
  id: number
  /** Its name, in the language of the visitor. */
  title: string
  interval: ChosenPlan['plan']['interval']
  interval_count: number
  currency: string
  /** What is paid on the day of signing up. */
  today: number
  /** What every period costs. */
  amount: number
}

function planView({ plan }: ChosenPlan, priced: PlanQuote, language: string, now: Date): ChosenPlanView {
  const { today, period, trialDays } = priced
  return {
    ...timesOf(plan, trialDays, now),
    id: plan.id,
    title: textsIn(plan, language).title,
    interval: plan.interval,
    interval_count: plan.interval_count,
    currency: period.pricing.currency,
    today: today.pricing.totals.total,
    amount: period.pricing.totals.total,
  }
}

const NOTHING_SHOWN: Shown = new Map()

const summaryOf = (priced: PlanQuote, { languages }: ShopVisit): Summary =>
  summaryOfQuote(priced.today, NOTHING_SHOWN, languages)

/** The first page: who the customer is. */
export type DetailsView = {
  club: ClubView
  plan_id: number
  /** The plan with its price for this customer; nothing if it is not sold there. */
  plan: ChosenPlanView | undefined
  /** What is paid today. */
  summary: Summary | undefined
  /** What was typed so far. */
  form: CheckoutDetails
  countries: readonly NamedCountry[]
  country_name: string
  /** What is wrong with each field, as the last part of a key below `checkout.errors`. */
  mistakes: Record<string, string>
  is_wrong: boolean
  /** The field that gets the cursor. */
  first_mistake: string | undefined
}

/** The second page: how the customer pays. */
export type PayView = {
  club: ClubView
  plan: ChosenPlanView
  /** The ways to pay that the shop offers. */
  gateways: readonly Offer[]
  /** The name of the chosen way to pay. */
  chosen: string | undefined
  /** The number of the test card that was typed. */
  card: string
  /** What is paid today. */
  summary: Summary
  /** What the form sends back, so that nothing else is signed up to. */
  shown: { details: string; price: number; terms: string }
  email: string
  country_name: string
  /** Has the customer to agree that the membership begins at once? */
  needs_consent: boolean
  /** What the customer agrees to. */
  consent_text: string
  consented: boolean
  /** Why nobody was signed up: the key of a text, or `card` if a number is missing. */
  error: string | undefined
}

type Details = {
  form: CheckoutDetails
  mistakes: Record<string, string>
  /** Undefined if the plan cannot be sold in the country of the customer. */
  priced: PlanQuote | undefined
}

export function detailsPage(
  visit: ShopVisit,
  choice: ChosenPlan,
  { form, mistakes, priced }: Details,
  now: Date,
): DetailsView & { page: object } {
  const isWrong = Object.keys(mistakes).length > 0
  const country = form.country || visit.country
  return {
    page: { title_key: 'checkout.step_details', is_private: true, is_checkout: true, has_error: isWrong },
    club: clubView(choice.club, visit),
    plan_id: choice.plan.id,
    plan: priced && planView(choice, priced, visit.language, now),
    summary: priced && summaryOf(priced, visit),
    form: { ...form, country },
    countries: countriesIn(visit.language),
    country_name: nameOfCountry(country, visit.language),
    mistakes,
    is_wrong: isWrong,
    first_mistake: JOIN_FIELDS.find((field) => mistakes[field] !== undefined),
  }
}

type Paying = { details: CheckoutDetails; version: string; priced: PlanQuote; gateways: readonly Offer[]; said: Said }

export function payPage(
  visit: ShopVisit,
  choice: ChosenPlan,
  { details, version, priced, gateways, said }: Paying,
  now: Date,
): PayView & { page: object } {
  const { language } = visit
  const plan = planView(choice, priced, language, now)
  return {
    page: {
      title_key: 'checkout.step_payment',
      is_private: true,
      is_checkout: true,
      has_error: said.error !== undefined,
    },
    club: clubView(choice.club, visit),
    plan,
    summary: summaryOf(priced, visit),
    shown: {
      details: version,
      price: priced.price.cents,
      terms: termsOf(choice.plan, priced.trialDays),
    },
    email: details.email,
    country_name: nameOfCountry(priced.country, language),
    gateways,
    chosen: said.chosen ?? gateways[0]?.name,
    card: said.card ?? '',
    needs_consent: mayWithdraw(cartOfSignUp(details), priced.country),
    consent_text: membershipConsentText(language),
    consented: said.consented ?? false,
    error: said.error,
  }
}

/** Where the steps of a sign-up are. */
export function stepPath(visit: ShopVisit, { club, plan }: ChosenPlan, step: 'join' | 'pay'): string {
  return `${clubView(club, visit).url}/${step}?plan=${plan.id}`
}

/** The page of a group, on which people choose a plan. */
export function clubOf({ club }: { club: Club }, visit: ShopVisit): ClubView {
  return clubView(club, visit)
}
