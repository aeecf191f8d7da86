import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { PathPart } from '#platform/wire/schema.ts'
import { createCustomerDocuments } from '#selling/invoices/site.ts'
import { asksInShop } from '#selling/payments/rules.ts'
import { isFramed } from '#shop/site/cookies.site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { reopenCart } from './cart/reopen.commands.ts'
import { orderPageNotFound } from './errors.ts'
import { findNextStep, findParcel } from './next.queries.ts'
import { readShown } from './pages.queries.ts'
import { type CheckoutOptions, createCashier } from './place.commands.ts'
import { beginMembership } from './plans/joined.commands.ts'
import { findJoined } from './plans/joined.queries.ts'
import { findPlacedOrder } from './queries.ts'
import { billOf, endOf, needsCard, stateOf } from './rules.ts'
import { browserOf, keepShopper } from './shopper.site.ts'
import { summaryOfOrder } from './summary.present.ts'

const params = Type.Object({
  token: PathPart('Id and secret of an order.'),
  shop: Type.Optional(PathPart('Id of the shop.')),
})
const PayBody = formBody({ gateway: 'word', card: 'word' })
const ChangeBody = formBody({})
const StepBody = formBody({ answer: 'word' })
type Ref = { Params: { token: string } }

/** The page of an order that was placed in a shop: its payment, and then what to do with it. Its address is secret. */
export const orderPageRoutes: FastifyPluginCallback<CheckoutOptions> = (app, options, done) => {
  const { db } = options
  const routes = shopRoutes(app, { priority: 'high' })
  const readDocuments = createCustomerDocuments(options)
  const cashier = createCashier({ ...options, change: app.change, baseUrl: () => app.baseUrl })

  async function getPlaced(request: FastifyRequest<Ref>) {
    const { company_id, id } = request.visit.shop
    const placed = await findPlacedOrder(db, company_id, id, request.params.token)
    if (placed === undefined) throw orderPageNotFound()
    return placed
  }

  async function show(request: FastifyRequest<Ref>, reply: FastifyReply, said: { error?: string; card?: string } = {}) {
    const { order, payment, path } = await getPlaced(request)
    const { visit } = request
    // A worker follows the payment too, and may be later than the customer.
    if (order.financial_status === 'paid' && order.subscription_id !== null)
      await app.change((tx) => beginMembership(tx, order, options.now(order.company_id)))
    const shown = await readShown(
      db,
      visit,
      order.lines.map(({ product_id }) => product_id),
    )
    const state = stateOf(order, payment)
    const isPaid = state === 'paid'
    const [offers, documents, kept_until, next, parcel, joined] = await Promise.all([
      cashier.offers(order.company_id),
      readDocuments(order.company_id, order.id),
      state === 'waiting' ? cashier.keptUntil(order) : undefined,
      isPaid ? findNextStep(db, order, visit, options.now(order.company_id)) : undefined,
      isPaid ? findParcel(db, order) : undefined,
      findJoined(db, order, visit, options.now(order.company_id)),
    ])
    const error = said.error ?? (state === 'unpaid' ? endOf(payment) : undefined)
    return reply.shopPage(
      'order',
      {
        page: { title_key: 'checkout.your_order', is_private: true, is_checkout: true, has_error: error !== undefined },
        order: {
          name: `#${order.id}`,
          token: path,
          email: order.email,
          state,
          is_test: order.test,
          id: order.id,
          has_goods: order.lines.some(({ kind }) => kind === 'physical'),
          has_content:
            order.subscription_id === null && order.lines.some(({ kind, code }) => kind === 'digital' && code === null),
          is_gift: order.lines.some(({ code }) => code !== null),
          usable_from: order.withdrawal?.usable_from ?? undefined,
          ...billOf(order, kept_until, offers, options.now(order.company_id)),
        },
        summary: summaryOfOrder(order, shown, visit.language),
        gateways: offers.filter(({ is_test }) => is_test === order.test),
        chosen: payment?.gateway,
        card: said.card ?? '',
        is_second_step: state === 'unpaid' && payment?.status === 'created' && asksInShop(payment),
        documents,
        next,
        parcel,
        joined,
        is_guest: visit.guest?.session.customerId === order.customer_id,
        error,
      },
      said.error === undefined ? {} : { status: 422 },
    )
  }

  routes.get<Ref>('/orders/:token', { params }, async (request, reply) => {
    const token = queryText(request, 'token')
    if (!/^[\w-]{10,100}$/.test(token)) return show(request, reply)
    // Back from the gateway, whose own news may come later.
    const { order, path } = await getPlaced(request)
    await cashier.confirm(order, token, {})
    return reply.toShop(`/orders/${path}`)
  })

  // A form may not lead to another site, not even by way of a redirect, so this page does.
  routes.get<Ref>('/orders/:token/continue', { params }, async (request, reply) => {
    const { order, payment, path } = await getPlaced(request)
    const isOpen = stateOf(order, payment) === 'unpaid' && payment?.status === 'created'
    const url = isOpen
      ? await cashier.resume(payment, order, { visit: request.visit, ...browserOf(request) })
      : undefined
    if (url === undefined) return reply.toShop(`/orders/${path}`)
    const page = { title_key: 'checkout.step_payment', is_private: true, is_checkout: true }
    // The page of a gateway refuses to be framed, so somebody in a frame presses the button, which opens the whole window.
    const headers = isFramed(request) ? {} : { refresh: `0;url=${url}` }
    return reply.shopPage('continue', { page, url }, { headers })
  })

  routes.post<Ref>('/orders/:token/pay', { params, body: PayBody }, async (request, reply) => {
    const { order, payment, path } = await getPlaced(request)
    const { gateway, card } = formOf(request, 'gateway', 'card')
    if (stateOf(order, payment) !== 'unpaid') return reply.toShop(`/orders/${path}`)
    const offers = await cashier.offers(order.company_id)
    const offered = offers.find(({ name, is_test }) => name === gateway && is_test === order.test)
    if (offered === undefined) return show(request, reply, { error: 'gateway', card })
    if (needsCard(offered.name, card)) return show(request, reply, { error: 'card', card })
    const url = await cashier.retry(order, offered.name, { visit: request.visit, ...browserOf(request) }, card)
    return reply.toShop(`/orders/${path}${url === undefined ? '' : '/continue'}`)
  })

  routes.post<Ref>('/orders/:token/change', { params, body: ChangeBody }, async (request, reply) => {
    const { order, payment } = await getPlaced(request)
    if (stateOf(order, payment) === 'unpaid')
      await app.change((tx) => reopenCart(tx, keepShopper(request, reply), order, options.now(order.company_id)))
    return reply.toShop('/cart')
  })

  routes.post<Ref>('/orders/:token/second-step', { params, body: StepBody }, async (request, reply) => {
    const { order, payment, path } = await getPlaced(request)
    const { answer } = formOf(request, 'answer')
    if (payment?.status === 'created') await cashier.confirm(order, payment.token, { approved: answer === 'approve' })
    return reply.toShop(`/orders/${path}`)
  })

  done()
}
