import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forMembers } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { cancelOwn, pauseOwn, resumeOwn } from './commands.ts'
import { createDesk, type Desk, pathOf, type SubscriptionPagesOptions } from './desk.site.ts'
import { readPause } from './present.ts'
import { findBegun, readOwnSubscriptions } from './queries.ts'
import { noticeOf } from './rules.ts'
import { createTill } from './till.commands.ts'

const REFUSED = 422
const NONE = { body: formBody({}) }

/** The subscriptions of a customer: what they cost, what happened, and what the customer can change. */
export const accountSubscriptionRoutes: FastifyPluginCallback<SubscriptionPagesOptions> = (app, options, done) => {
  requireEncryption(app)
  const desk = createDesk(options, createTill({ ...options, change: app.change, baseUrl: () => app.baseUrl }))
  addPages(app, options, desk)
  addChanges(app, options, desk)
  done()
}

function addPages(app: FastifyInstance, { db, now }: SubscriptionPagesOptions, { till, find, show }: Desk): void {
  const routes = shopRoutes(app)

  routes.get(
    '/account/subscriptions',
    {},
    forMembers(async (request, reply, { session }) => {
      const subscriptions = await readOwnSubscriptions(
        db,
        session,
        request.visit.language,
        now(request.visit.shop.company_id),
      )
      const page = { title_key: 'subscription.title', is_private: true }
      return reply.shopPage('account-subscriptions', { page, subscriptions })
    }),
  )

  routes.get(
    '/account/subscriptions/:id',
    {},
    forMembers(async (request, reply, member) => {
      const token = queryText(request, 'payment')
      if (!/^[\w-]{10,100}$/.test(token))
        return show(request, reply, member, { notice: noticeOf(queryText(request, 'done')) })
      // Back from the gateway, whose own news may come later.
      const subscription = await find(request, member)
      const begun = await findBegun(db, subscription)
      if (begun?.token === token) await till.confirm(subscription, token, {})
      const isSaved = begun !== undefined && (await find(request, member)).means_payment_id === begun.id
      return reply.toShop(`${pathOf(subscription)}${isSaved ? '?done=means' : ''}`)
    }),
  )
}

function addChanges(app: FastifyInstance, { now }: SubscriptionPagesOptions, { till, find, show, orSay }: Desk): void {
  const routes = shopRoutes(app)

  routes.post(
    '/account/subscriptions/:id/cancel',
    NONE,
    forMembers(async (request, reply, member) => {
      const before = await find(request, member)
      const origin = { address: request.ip, requestId: request.id }
      return orSay(request, reply, member, async () => {
        const { status } = await app.change((tx) => cancelOwn(tx, before, origin, now(before.company_id)))
        return reply.toShop(`${pathOf(before)}?done=${status === 'ended' ? 'ended' : 'cancelled'}`)
      })
    }),
  )

  routes.post(
    '/account/subscriptions/:id/resume',
    NONE,
    forMembers(async (request, reply, member) => {
      const before = await find(request, member)
      const origin = { address: request.ip, requestId: request.id }
      const isRunning = before.status === 'active' || before.status === 'trialing'
      const notice = before.status === 'paused' || before.paused_until !== null ? 'resumed' : 'stayed'
      // The second press of the button.
      if (isRunning && before.paused_until === null) return reply.toShop(`${pathOf(before)}?done=stayed`)
      return orSay(request, reply, member, async () => {
        await app.change((tx) => resumeOwn(tx, before, origin, now(before.company_id)))
        await till.settle(before)
        return reply.toShop(`${pathOf(before)}?done=${notice}`)
      })
    }),
  )

  routes.post(
    '/account/subscriptions/:id/pause',
    { body: formBody({ months: 'word' }) },
    forMembers(async (request, reply, member) => {
      const before = await find(request, member)
      const origin = { address: request.ip, requestId: request.id }
      const months = readPause(formOf(request, 'months').months)
      if (months === undefined)
        return show(request, reply, member, { status: REFUSED, alarm: 'subscription.refused.months' })
      return orSay(request, reply, member, async () => {
        await app.change((tx) => pauseOwn(tx, before, months, origin, now(before.company_id)))
        return reply.toShop(`${pathOf(before)}?done=paused`)
      })
    }),
  )
}
