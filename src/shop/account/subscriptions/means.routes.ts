import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import type { SubscriptionState } from '#selling/subscriptions/state.ts'
import { needsCard } from '#shop/checkout/rules.ts'
import { browserOf } from '#shop/checkout/shopper.site.ts'
import { forMembers } from '#shop/sign-in/sessions/site.ts'
import { isFramed } from '#shop/site/cookies.site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { createDesk, pathOf, type SubscriptionPagesOptions } from './desk.site.ts'
import { findBegun, findOpenPage } from './queries.ts'
import { createTill } from './till.commands.ts'

const REFUSED = 422

/** The change of what a subscription is paid with. A period that is open is paid with it at once, on a page of its own. */
export const subscriptionMeansRoutes: FastifyPluginCallback<SubscriptionPagesOptions> = (app, options, done) => {
  requireEncryption(app)
  const { db } = options
  const desk = createDesk(options, createTill({ ...options, change: app.change, baseUrl: () => app.baseUrl }))
  const { till } = desk
  const routes = shopRoutes(app)

  async function showForm(
    reply: FastifyReply,
    subscription: SubscriptionState,
    said: { error?: string; card?: string } = {},
  ) {
    const { company_id, test, gateway } = subscription
    const [gateways, means] = await Promise.all([till.offers(company_id, test), till.means(subscription)])
    const only = gateways.length === 1 ? gateways[0]?.name : undefined
    const model = {
      page: { title_key: 'subscription.means.title', is_private: true, has_error: said.error !== undefined },
      subscription: { id: subscription.id },
      gateways,
      means,
      chosen: only ?? gateway,
      card: said.card ?? '',
      error: said.error,
    }
    return reply.shopPage('account-subscription-means', model, { status: said.error === undefined ? 200 : REFUSED })
  }

  const back = (request: FastifyRequest, subscription: SubscriptionState) => {
    const { base, language } = request.visit
    return { page: `${browserOf(request).origin}${base}${pathOf(subscription)}`, language }
  }

  routes.get(
    '/account/subscriptions/:id/means',
    {},
    forMembers(async (request, reply, member) => {
      const subscription = await desk.find(request, member)
      const open = await findOpenPage(db, subscription)
      return open === undefined ? showForm(reply, subscription) : reply.toShop(open)
    }),
  )

  routes.post(
    '/account/subscriptions/:id/means',
    { body: formBody({ gateway: 'word', card: 'word' }) },
    forMembers(async (request, reply, member) => {
      const subscription = await desk.find(request, member)
      const open = await findOpenPage(db, subscription)
      if (open !== undefined) return reply.toShop(open)
      const { gateway, card } = formOf(request, 'gateway', 'card')
      const offered = (await till.offers(subscription.company_id, subscription.test)).find(
        ({ name }) => name === gateway,
      )
      if (offered === undefined) return showForm(reply, subscription, { error: 'gateway', card })
      if (needsCard(offered.name, card)) return showForm(reply, subscription, { error: 'card', card })
      return desk.orSay(request, reply, member, async () => {
        const place = back(request, subscription)
        const url = await till.changeMeans(subscription, member.customer, offered.name, card, place)
        if (url !== undefined) return reply.toShop(`${pathOf(subscription)}/continue`)
        const { means_payment_id, next_means_payment_id } = await desk.find(request, member)
        if (next_means_payment_id !== null) return reply.toShop(pathOf(subscription))
        if (means_payment_id === subscription.means_payment_id)
          return showForm(reply, subscription, { error: 'declined', card })
        return reply.toShop(`${pathOf(subscription)}?done=means`)
      })
    }),
  )

  // A form may not lead to another site, not even by way of a redirect, so this page does.
  routes.get(
    '/account/subscriptions/:id/continue',
    {},
    forMembers(async (request, reply, member) => {
      const subscription = await desk.find(request, member)
      const begun = await findBegun(db, subscription)
      const order = { id: begun?.order_id ?? 0, email: member.customer.email }
      const url = begun?.status === 'created' ? await till.resume(begun, order, back(request, subscription)) : undefined
      if (url === undefined) return reply.toShop(pathOf(subscription))
      const page = { title_key: 'subscription.means.title', is_private: true, is_checkout: true }
      const headers = isFramed(request) ? {} : { refresh: `0;url=${url}` }
      return reply.shopPage('continue', { page, url }, { headers })
    }),
  )

  routes.post(
    '/account/subscriptions/:id/second-step',
    { body: formBody({ answer: 'word' }) },
    forMembers(async (request, reply, member) => {
      const subscription = await desk.find(request, member)
      const begun = await findBegun(db, subscription)
      if (begun?.status !== 'created') return reply.toShop(pathOf(subscription))
      const approved = formOf(request, 'answer').answer === 'approve'
      await till.confirm(subscription, begun.token, { approved })
      return reply.toShop(`${pathOf(subscription)}${approved ? '?done=means' : ''}`)
    }),
  )

  done()
}
