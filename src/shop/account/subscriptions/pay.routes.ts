import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { asksInShop } from '#selling/payments/rules.ts'
import { needsCard } from '#shop/checkout/rules.ts'
import { browserOf } from '#shop/checkout/shopper.site.ts'
import { isFramed } from '#shop/site/cookies.site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import type { SubscriptionPagesOptions } from './desk.site.ts'
import { findLinkedPeriod, readLinkedPage } from './queries.ts'
import { refusalOf } from './rules.ts'
import { createTill } from './till.commands.ts'

const params = Type.Object({
  token: PathPart('Id and secret of the order of a period.'),
  shop: Type.Optional(PathPart('Id of the shop.')),
})
type Ref = { Params: { token: string } }

const REFUSED = 422
const WAIT = 429
const GONE = 410

/**
 * The page behind the link of a mail about a charge that failed. Its address is the secret of the order, so nobody has to sign in;
 * it can be used as often as the customer likes, and pays what is open once.
 */
export const subscriptionPayRoutes: FastifyPluginCallback<SubscriptionPagesOptions> = (app, options, done) => {
  const { db } = options
  const routes = shopRoutes(app, { priority: 'high' })
  const till = createTill({ ...options, change: app.change, baseUrl: () => app.baseUrl })

  async function getPeriod(request: FastifyRequest<Ref>) {
    const period = await findLinkedPeriod(db, request.visit.shop.company_id, request.params.token)
    if (period === undefined) throw shopPageNotFound()
    return period
  }

  type Said = { error?: string; card?: string; minutes?: number; status?: number }

  async function show(request: FastifyRequest<Ref>, reply: FastifyReply, said: Said = {}) {
    const linked = await getPeriod(request)
    const { subscription, open: period, token } = linked
    const { language, customer } = request.visit
    const [values, gateways, means] = await Promise.all([
      readLinkedPage(db, linked, language),
      till.offers(subscription.company_id, subscription.test),
      period === undefined ? undefined : till.means(subscription),
    ])
    const { state, open } = values
    const begun = period?.payments.findLast(({ off_session }) => !off_session)
    const isSecondStep = begun?.status === 'created' && asksInShop(begun)
    const isDeclined = !isSecondStep && begun?.status === 'failed' && begun.id === period?.payments.at(-1)?.id
    const error = said.error ?? (isDeclined ? 'declined' : undefined)
    const [only] = gateways
    const model = {
      page: {
        title_key: 'subscription.pay.title',
        is_private: true,
        is_checkout: true,
        has_error: error !== undefined,
      },
      may_try_again: means !== undefined && open?.failure === 'declined' && !isSecondStep,
      is_own: customer?.id === subscription.customer_id,
      is_test: subscription.test,
      is_second_step: isSecondStep,
      chosen: gateways.find(({ name }) => name === subscription.gateway)?.name ?? only?.name,
      ...values,
      token,
      gateways,
      means,
      error,
      card: said.card ?? '',
      minutes: said.minutes,
    }
    return reply.shopPage('subscription-pay', model, { status: said.status ?? (state === 'over' ? GONE : 200) })
  }

  const pathOf = (token: string) => `/subscriptions/${token}`
  const backTo = (request: FastifyRequest<Ref>) => {
    const { base, language } = request.visit
    return { page: `${browserOf(request).origin}${base}${pathOf(request.params.token)}`, language }
  }

  routes.get<Ref>('/subscriptions/:token', { params }, async (request, reply) => {
    const payment = queryText(request, 'payment')
    if (!/^[\w-]{10,100}$/.test(payment)) return show(request, reply)
    const { subscription, open, token } = await getPeriod(request)
    // Back from the gateway, whose own news may come later.
    if (open?.payments.some((each) => each.token === payment)) await till.confirm(subscription, payment, {})
    return reply.toShop(pathOf(token))
  })

  routes.get<Ref>('/subscriptions/:token/continue', { params }, async (request, reply) => {
    const { order, open, token } = await getPeriod(request)
    const begun = open?.payments.findLast(({ off_session, status }) => !off_session && status === 'created')
    const url = begun && (await till.resume(begun, order, backTo(request)))
    if (url === undefined) return reply.toShop(pathOf(token))
    const page = { title_key: 'checkout.step_payment', is_private: true, is_checkout: true }
    const headers = isFramed(request) ? {} : { refresh: `0;url=${url}` }
    return reply.shopPage('continue', { page, url }, { headers })
  })

  const body = formBody({ gateway: 'word', card: 'word' })
  routes.post<Ref>('/subscriptions/:token/pay', { params, body }, async (request, reply) => {
    const { order, subscription, open, token } = await getPeriod(request)
    if (open === undefined) return reply.toShop(pathOf(token))
    const { gateway, card } = formOf(request, 'gateway', 'card')
    const offered = (await till.offers(order.company_id, order.test)).find(({ name }) => name === gateway)
    if (offered === undefined) return show(request, reply, { status: REFUSED, error: 'gateway', card })
    if (needsCard(offered.name, card)) return show(request, reply, { status: REFUSED, error: 'card', card })
    try {
      const url = await till.pay(order, offered.name, card, backTo(request))
      if (url !== undefined) return reply.toShop(`${pathOf(token)}/continue`)
    } catch (error) {
      const refused = refusalOf(error)
      if (refused === undefined) throw error
      return show(request, reply, { status: REFUSED, error: 'unavailable', card })
    }
    await till.settle(subscription)
    return reply.toShop(pathOf(token))
  })

  routes.post<Ref>('/subscriptions/:token/again', { params, body: formBody({}) }, async (request, reply) => {
    const { subscription, open, token } = await getPeriod(request)
    if (open === undefined) return reply.toShop(pathOf(token))
    const seconds = await till.chargeAgain(subscription)
    if (seconds === 0) return reply.toShop(pathOf(token))
    const wait = { status: WAIT, error: 'wait', minutes: Math.ceil(seconds / 60) }
    return show(request, reply.header('retry-after', seconds), wait)
  })

  routes.post<Ref>(
    '/subscriptions/:token/second-step',
    { params, body: formBody({ answer: 'word' }) },
    async (request, reply) => {
      const { subscription, open, token } = await getPeriod(request)
      const begun = open?.payments.findLast(({ off_session, status }) => !off_session && status === 'created')
      const approved = formOf(request, 'answer').answer === 'approve'
      if (begun !== undefined) await till.confirm(subscription, begun.token, { approved })
      return reply.toShop(pathOf(token))
    },
  )

  done()
}
