import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import type { SubscriptionState } from '#selling/subscriptions/state.ts'
import { forMembers, type Member } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { changeOwnPlan } from './commands.ts'
import { createDesk, pathOf, type SubscriptionPagesOptions } from './desk.site.ts'
import { readPlanOffers } from './queries.ts'
import { PRICE_CHANGED, refusalOf } from './rules.ts'
import { createTill } from './till.commands.ts'

const Choice = Type.Object({ plan: Type.Optional(Type.String({ maxLength: 20 })) })
const Body = formBody({ plan: 'word', at: 'word', total: 'word', terms: 'word' })
const CONFLICT = 409

const wholeIn = (text: string, otherwise: number) => (/^\d{1,15}$/.test(text) ? Number(text) : otherwise)

/** The change to another plan: what it costs now or with the next period, and then the change. */
export const subscriptionPlanRoutes: FastifyPluginCallback<SubscriptionPagesOptions> = (app, options, done) => {
  requireEncryption(app)
  const { db, now } = options
  const desk = createDesk(options, createTill({ ...options, change: app.change, baseUrl: () => app.baseUrl }))
  const routes = shopRoutes(app)

  async function showOffers(
    request: FastifyRequest,
    reply: FastifyReply,
    subscription: SubscriptionState,
    planId: number,
    alarm?: string,
  ) {
    const values = await readPlanOffers(
      db,
      subscription,
      planId,
      request.visit.language,
      now(request.visit.shop.company_id),
    )
    const page = { title_key: 'subscription.plan.title', is_private: true, has_error: alarm !== undefined }
    const status = alarm === undefined ? 200 : CONFLICT
    return reply.shopPage('account-subscription-plan', { page, ...values, alarm }, { status })
  }

  routes.get(
    '/account/subscriptions/:id/plan',
    { querystring: Choice },
    forMembers(async (request, reply, member) => {
      const subscription = await desk.find(request, member)
      const planId = wholeIn(queryText(request, 'plan'), 0)
      return desk.orSay(request, reply, member, () => showOffers(request, reply, subscription, planId))
    }),
  )

  async function change(request: FastifyRequest, reply: FastifyReply, member: Member, before: SubscriptionState) {
    const typed = formOf(request, 'plan', 'at', 'total', 'terms')
    const planId = wholeIn(typed.plan, 0)
    const at = typed.at === 'now' ? 'now' : 'period_end'
    // What was not shown is not agreed to.
    const agreedCents = wholeIn(typed.total, -1)
    // Templates of operators may not have the field.
    const agreed = { agreedCents, agreedTerms: typed.terms || undefined }
    const origin = { address: request.ip, requestId: request.id }
    try {
      await app.change((tx) => changeOwnPlan(tx, before, { planId, at, ...agreed }, origin, now(before.company_id)))
    } catch (error) {
      const alarm = refusalOf(error)
      if (alarm !== PRICE_CHANGED) throw error
      return showOffers(request, reply, before, planId, alarm)
    }
    if (at === 'period_end') return reply.toShop(`${pathOf(before)}?done=plan_later`)
    await desk.till.settle(before)
    const { plan_id } = await desk.find(request, member)
    return reply.toShop(`${pathOf(before)}${plan_id === planId ? '?done=plan' : ''}`)
  }

  routes.post(
    '/account/subscriptions/:id/plan',
    { body: Body },
    forMembers(async (request, reply, member) => {
      const before = await desk.find(request, member)
      return desk.orSay(request, reply, member, () => change(request, reply, member, before))
    }),
  )

  done()
}
