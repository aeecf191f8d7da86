import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import {
  cancelSubscription,
  extendSubscription,
  pauseSubscription,
  resumeSubscription,
  written,
} from './changes.commands.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { changePlan } from './plan-change/commands.ts'
import { offerPlan } from './plan-change/queries.ts'
import { presentEntry, presentPeriod, presentPlannedChange, presentSubscription } from './present.ts'
import {
  countSubscriptions,
  getSubscription,
  listChanges,
  listPeriods,
  listSubscriptions,
  lockSubscription,
} from './queries.ts'
import {
  Cancellation,
  Extension,
  Pause,
  PlanChange,
  PlanChangeQuery,
  PlannedChange,
  Subscription,
  SubscriptionEntry,
  SubscriptionFilters,
  SubscriptionInput,
  SubscriptionPeriod,
} from './schema.ts'
import { createSignUpChecks, createSubscription } from './sign-up.commands.ts'
import type { ListedSubscription } from './state.ts'

const reading = { access: { scope: 'orders' } } as const
const changing = { access: { scope: 'orders', permissions: ['accounting'] } } as const
/** Whoever changes a subscription can say which version was read. */
const changingOne = { ...changing, takesCondition: true } as const
const tags = ['Subscriptions']
const Ref = Type.Object({ id: PathPart('Id of the subscription.') })
const ListQuery = Type.Object({ ...SubscriptionFilters.properties, ...Paging.properties, format: CsvFormat })
const CountQuery = Type.Object({ ...SubscriptionFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ subscription: named(Subscription) })

const subscription = single(
  'subscription',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentSubscription(await getSubscription(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockSubscription(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const subscriptionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, clock }, done) => {
  const identify = createSignUpChecks({ db, clock, change: (work) => app.change(work) })

  app.get(
    '/subscriptions.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listSubscriptions',
        summary: 'List subscriptions',
        querystring: ListQuery,
        response: { 200: listOrFile(Type.Object({ subscriptions: Type.Array(named(Subscription)) })) },
      },
    },
    async (request, reply) => {
      const list = listSubscriptions(db, request.caller.companyId, request.query)
      const present = (rows: ListedSubscription[]) => rows.map(presentSubscription)
      return isCsv(request.query.format)
        ? sendCsv(reply, 'subscriptions.csv', list, HEADING, (rows) => linesOf(present(rows)))
        : sendRows(request, reply, 'subscriptions', list, present)
    },
  )

  app.get(
    '/subscriptions/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countSubscriptions',
        summary: 'Count subscriptions',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countSubscriptions(db, caller.companyId, query) }),
  )

  app.get(
    '/subscriptions/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getSubscription',
        summary: 'Read a subscription',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, subscription, db),
  )

  app.get(
    '/subscriptions/:id/periods.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listSubscriptionPeriods',
        summary: 'List the periods of a subscription',
        description: 'Each has an order, whose payments say how it was paid.',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ periods: Type.Array(named(SubscriptionPeriod)) }) },
      },
    },
    async (request, reply) => {
      const found = await getSubscription(db, request.caller.companyId, request.params.id)
      return sendRows(request, reply, 'periods', listPeriods(db, found), (rows) => rows.map(presentPeriod))
    },
  )

  app.get(
    '/subscriptions/:id/timeline.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listSubscriptionTimeline',
        summary: 'List what happened to a subscription',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ timeline: Type.Array(named(SubscriptionEntry)) }) },
      },
    },
    async (request, reply) => {
      const found = await getSubscription(db, request.caller.companyId, request.params.id)
      return sendRows(request, reply, 'timeline', listChanges(db, found), (rows) => rows.map(presentEntry))
    },
  )

  app.post(
    '/subscriptions.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createSubscription',
        summary: 'Sign a customer up to a plan',
        description:
          'Makes the order of the first period, and the subscriber once it is paid. Further periods are charged by the service, or billed. A customer has one subscription to a group: a second one is 409.',
        body: Type.Object({ subscription: SubscriptionInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const buyer = await identify(caller.companyId, body.subscription, request.headers['accept-language'] ?? '')
      return app.write(request, reply.code(201), subscription, (tx) =>
        written(tx, createSubscription(tx, authorOf(request), body.subscription, buyer, now(request.caller.companyId))),
      )
    },
  )

  app.post(
    '/subscriptions/:id/cancel.json',
    {
      config: changingOne,
      schema: {
        tags,
        operationId: 'cancelSubscription',
        summary: 'Cancel a subscription',
        description: 'It runs to the end of what was paid, or of its minimum term. Cancelling twice changes nothing.',
        params: Ref,
        querystring: Cancellation,
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, subscription, (tx) =>
        written(
          tx,
          cancelSubscription(
            tx,
            authorOf(request),
            request.params.id,
            { atOnce: request.query.at === 'now' },
            now(request.caller.companyId),
          ),
        ),
      ),
  )

  app.post(
    '/subscriptions/:id/resume.json',
    {
      config: changingOne,
      schema: {
        tags,
        operationId: 'resumeSubscription',
        summary: 'Resume a subscription',
        description: 'Takes back a cancellation or a pause. Whoever was paused is charged for a new period now.',
        params: Ref,
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, subscription, (tx) =>
        written(tx, resumeSubscription(tx, authorOf(request), request.params.id, now(request.caller.companyId))),
      ),
  )

  app.post(
    '/subscriptions/:id/pause.json',
    {
      config: changingOne,
      schema: {
        tags,
        operationId: 'pauseSubscription',
        summary: 'Pause a subscription',
        description:
          'From the end of what was paid until a time. Nothing is charged meanwhile, and a bill that was sent ahead is taken back. While a payment or a change of plan is under way, it is 409.',
        params: Ref,
        body: Type.Object({ pause: Pause }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, subscription, (tx) =>
        written(
          tx,
          pauseSubscription(
            tx,
            authorOf(request),
            request.params.id,
            new Date(request.body.pause.until),
            now(request.caller.companyId),
          ),
        ),
      ),
  )

  app.post(
    '/subscriptions/:id/extend.json',
    {
      config: changingOne,
      schema: {
        tags,
        operationId: 'extendSubscription',
        summary: 'Give a subscriber more time',
        description: 'The running period ends later, for nothing. Later periods begin then.',
        params: Ref,
        body: Type.Object({ extend: Extension }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, subscription, (tx) =>
        written(
          tx,
          extendSubscription(
            tx,
            authorOf(request),
            request.params.id,
            new Date(request.body.extend.until),
            now(request.caller.companyId),
          ),
        ),
      ),
  )

  app.post(
    '/subscriptions/:id/change_plan.json',
    {
      config: changingOne,
      schema: {
        tags,
        operationId: 'changeSubscriptionPlan',
        summary: 'Change the plan of a subscription',
        description:
          'With the next period, or at once: then what is left of the running period is credited to the day. If the new plan cannot be charged, or its bill is not paid in time, the old one stays. The terms of the new plan hold from its first period on; a longer minimum term that was agreed to before stays.',
        params: Ref,
        body: Type.Object({ plan_change: PlanChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) => {
      const { plan_id, at = 'period_end' } = request.body.plan_change
      return app.write(request, reply, subscription, (tx) =>
        written(
          tx,
          changePlan(tx, authorOf(request), request.params.id, { planId: plan_id, at }, now(request.caller.companyId)),
        ),
      )
    },
  )

  app.get(
    '/subscriptions/:id/plan_change.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getSubscriptionPlanChange',
        summary: 'Read what a change of plan would cost',
        description: 'Nothing is changed. It refuses what a change would refuse.',
        params: Ref,
        querystring: Type.Object({ ...PlanChangeQuery.properties, ...Fields.properties }),
        response: { 200: Type.Object({ plan_change: named(PlannedChange) }) },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const found = await getSubscription(db, caller.companyId, params.id)
      const wish = { planId: query.plan_id ?? found.plan_id, at: query.at ?? 'period_end' } as const
      const planned = presentPlannedChange(await offerPlan(db, found, wish, now(caller.companyId)))
      return sendDocument(request, reply, 'plan_change', asciiJson(planned))
    },
  )

  done()
}
