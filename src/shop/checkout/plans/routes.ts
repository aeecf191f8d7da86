import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '#platform/errors/problem.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { readGatewayName } from '#selling/payments/rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { changeCart } from '../commands.ts'
import { DETAIL_FIELDS, detailsOf, mistakesIn, readDetails } from '../details.rules.ts'
import type { CheckoutOptions } from '../place.commands.ts'
import { readContents } from '../queries.ts'
import { countryOf, needsCard } from '../rules.ts'
import { browserOf, keepShopper, shopperOf, toPayment } from '../shopper.site.ts'
import type { CheckoutDetails } from '../state.ts'
import { createVatIdLookup } from '../vat-ids.commands.ts'
import { type ChosenPlan, choosePlan } from './choice.queries.ts'
import { clubOf, detailsPage, payPage, type Said, stepPath } from './pages.present.ts'
import { quotePlan, readStandingOf } from './quotes.queries.ts'
import { cartOfSignUp, JOIN_FIELDS, textOfRefusal } from './rules.ts'
import { createSignUpCashier } from './sign-up.commands.ts'
import { versionOfDetails } from './version.secrets.ts'

const params = Type.Object({
  group: Type.String({ maxLength: 200 }),
  shop: Type.Optional(Type.String({ maxLength: 200 })),
})
const Chosen = Type.Object({ plan: Type.Optional(Type.String({ maxLength: 20 })) })
const DetailsBody = formBody({
  plan: 'word',
  step: 'word',
  ...Object.fromEntries(JOIN_FIELDS.map((name) => [name, 'line' as const])),
})
const PayBody = formBody({
  plan: 'word',
  details: 'word',
  total: 'word',
  currency: 'word',
  price: 'word',
  terms: 'word',
  gateway: 'word',
  card: 'word',
  now: 'word',
})
type OfGroup = { Params: { group: string } }

const UNPROCESSABLE = 422
const NOT_FOUND = 404
const CONFLICT = 409

const WRONG = { status: UNPROCESSABLE }

/** From a plan to a membership: who the customer is, then how the customer pays. */
export const joinRoutes: FastifyPluginCallback<CheckoutOptions> = (app, options, done) => {
  const { db, now } = options
  const routes = shopRoutes(app, { priority: 'high' })
  const cashier = createSignUpCashier({ ...options, change: app.change, baseUrl: () => app.baseUrl })
  const lookUpVatId = createVatIdLookup({ ...options, url: options.serviceUrls.vies, change: app.change })

  /** The plan that a request names, or the answer if nobody can sign up to it. */
  async function open(request: FastifyRequest<OfGroup>, reply: FastifyReply, planId: string) {
    const choice = await choosePlan(db, request.visit.shop.company_id, request.params.group, planId)
    if (choice.kind === 'chosen') return choice
    const { url } = clubOf(choice, request.visit)
    if (choice.kind === 'gone') return reply.redirect(`${url}?gone=1`, 303)
    const page = { title_key: 'memberships.closed_title', is_private: true }
    const texts = { heading_key: 'memberships.closed_title', text_key: 'memberships.closed_text' } as const
    return reply.shopPage('page', { page, ...texts }, { status: NOT_FOUND })
  }

  async function readDetailsOf(request: FastifyRequest): Promise<CheckoutDetails> {
    return detailsOf(await readContents(db, shopperOf(request)), request.visit)
  }

  /** The plan with its price for this customer, whatever is known of the customer so far. */
  async function quote({ visit }: FastifyRequest, { club, plan }: ChosenPlan, details: CheckoutDetails) {
    const standing = await readStandingOf(db, visit, details.email, club.group.group_id)
    return { standing, quote: await quotePlan(db, visit, club, plan, details, standing, now(visit.shop.company_id)) }
  }

  async function showDetails(
    reply: FastifyReply,
    choice: ChosenPlan,
    form: CheckoutDetails,
    mistakes: Record<string, string> = {},
  ) {
    const { request } = reply
    const { visit } = request
    // Nobody learns here whether somebody with another address was a member before.
    const known = visit.customer === undefined ? { ...form, email: '' } : form
    const { quote: priced } = await quote(request, choice, known)
    const isWrong = Object.keys(mistakes).length > 0
    return reply.shopPage(
      'membership-join',
      detailsPage(visit, choice, { form, mistakes, priced }, now(visit.shop.company_id)),
      isWrong ? WRONG : {},
    )
  }

  routes.get<OfGroup>('/memberships/:group/join', { params, querystring: Chosen }, async (request, reply) => {
    const choice = await open(request, reply, queryText(request, 'plan'))
    return 'plan' in choice ? showDetails(reply, choice, await readDetailsOf(request)) : choice
  })

  routes.post<OfGroup>('/memberships/:group/join', { params, body: DetailsBody }, async (request, reply) => {
    const { visit } = request
    const sent = formOf(request, 'plan', 'step', ...DETAIL_FIELDS)
    const choice = await open(request, reply, sent.plan)
    if (!('plan' in choice)) return choice
    const before = await readDetailsOf(request)
    const read = readDetails(sent, visit.customer?.email)
    // The form on the page of the group asks for the address alone.
    const fields = sent.step === 'details' ? JOIN_FIELDS : (['email', 'country'] as const)
    const typed = { ...before, ...Object.fromEntries(fields.map((name) => [name, read[name]])) }
    const details = { ...typed, country: typed.country || visit.country }
    const mistakes = mistakesIn(cartOfSignUp(details).details, false, now(request.visit.shop.company_id))
    if (Object.keys(mistakes).length > 0) return showDetails(reply, choice, details, mistakes)
    const { mistake } = await lookUpVatId(visit.shop.company_id, details.vat_id, request.ip)
    if (mistake !== undefined) return showDetails(reply, choice, details, { vat_id: mistake })
    const { quote: priced } = await quote(request, choice, { ...details, email: '' })
    if (priced === undefined) return showDetails(reply, choice, details, { country: 'country' })
    const isNew = details.email !== before.email
    if (isNew && !(await cashier.takeAddress(visit, request.ip)))
      return showDetails(reply, choice, details, { email: 'too_many_addresses' })
    await app.change((tx) =>
      changeCart(tx, keepShopper(request, reply), (cart) => ({ ...cart, details }), now(request.visit.shop.company_id)),
    )
    return reply.redirect(stepPath(request.visit, choice, 'pay'), 303)
  })

  async function showPay(reply: FastifyReply, choice: ChosenPlan, details: CheckoutDetails, said: Said = {}) {
    const { request } = reply
    const { visit } = request
    const { standing, quote: priced } = await quote(request, choice, details)
    if (standing.isSubscriber) return showAlready(reply, choice, details)
    if (priced === undefined) return showDetails(reply, choice, details, { country: 'country' })
    const gateways = await cashier.offers(visit.shop.company_id)
    const model = payPage(
      visit,
      choice,
      { details, version: versionOfDetails(details), priced, gateways, said },
      now(visit.shop.company_id),
    )
    return reply.shopPage('membership-pay', model, said.error === undefined ? {} : WRONG)
  }

  function showAlready(reply: FastifyReply, choice: ChosenPlan, { email }: CheckoutDetails) {
    const { visit } = reply.request
    const page = { title_key: 'memberships.already_title', is_private: true }
    const model = { page, club: clubOf(choice, visit), email }
    return reply.shopPage('membership-already', model, { status: CONFLICT })
  }

  routes.get<OfGroup>('/memberships/:group/pay', { params, querystring: Chosen }, async (request, reply) => {
    const choice = await open(request, reply, queryText(request, 'plan'))
    if (!('plan' in choice)) return choice
    const details = await readDetailsOf(request)
    return isComplete(request.visit.shop.company_id, details)
      ? showPay(reply, choice, details)
      : reply.redirect(stepPath(request.visit, choice, 'join'), 303)
  })

  const isComplete = (companyId: number, details: CheckoutDetails) =>
    Object.keys(mistakesIn(cartOfSignUp(details).details, false, now(companyId))).length === 0

  routes.post<OfGroup>('/memberships/:group/pay', { params, body: PayBody }, async (request, reply) => {
    const { visit } = request
    const form = formOf(request, 'plan', 'details', 'total', 'currency', 'price', 'terms', 'gateway', 'card', 'now')
    const choice = await open(request, reply, form.plan)
    if (!('plan' in choice)) return choice
    const { club, plan } = choice
    const browser = browserOf(request)
    const [details, landing] = await Promise.all([
      readDetailsOf(request),
      options.findLanding(visit.shop.company_id, browser),
    ])
    if (!isComplete(visit.shop.company_id, details)) return reply.redirect(stepPath(request.visit, choice, 'join'), 303)
    const said: Said = { chosen: form.gateway, card: form.card, consented: form.now !== '' }
    const gateway = readGatewayName(form.gateway)
    if (gateway === undefined) return showPay(reply, choice, details, { ...said, error: 'checkout.errors.gateway' })
    if (needsCard(gateway, form.card)) return showPay(reply, choice, details, { ...said, error: 'card' })
    // The answer of the first step may be from another day.
    const vatId = await lookUpVatId(visit.shop.company_id, details.vat_id, request.ip)
    if (vatId.mistake !== undefined) return showDetails(reply, choice, details, { vat_id: vatId.mistake })
    const cart = cartOfSignUp(details)
    try {
      const step = await cashier.join({
        visit,
        cart,
        gateway,
        landing,
        planId: plan.id,
        groupId: club.group.group_id,
        agreed: { total: form.total, currency: form.currency },
        shown: { details: form.details, price: form.price, terms: form.terms },
        card: form.card,
        consented: form.now !== '',
        vatIdCheck: vatId.check,
        shopper: keepShopper(request, reply),
        place: { shopId: visit.shop.id, currency: visit.currency, country: countryOf(cart, visit.country) },
        ...browser,
      })
      return toPayment(reply, step)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      return showRefusal(request, reply, choice, said, error.reason)
    }
  })

  /** Says why nobody was signed up, on the page where the customer can mend it. */
  async function showRefusal(
    request: FastifyRequest<OfGroup>,
    reply: FastifyReply,
    before: ChosenPlan,
    said: Said,
    reason: string,
  ) {
    const details = await readDetailsOf(request)
    if (reason === 'already_subscribed') return showAlready(reply, before, details)
    // The owner may have stopped the plan or closed the group meanwhile.
    const choice = await open(request, reply, String(before.plan.id))
    if (!('plan' in choice)) return choice
    if (!isComplete(request.visit.shop.company_id, details))
      return reply.redirect(stepPath(request.visit, choice, 'join'), 303)
    return showPay(reply, choice, details, { ...said, error: textOfRefusal(reason) })
  }

  done()
}
