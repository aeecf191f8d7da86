import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart, Text } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createPlan, deletePlan, updatePlan } from './commands.ts'
import { presentPlan } from './present.ts'
import { countPlans, getPlan, listPlans, lockPlan } from './queries.ts'
import { Plan, PlanChange, PlanInput } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Plans']
const Ref = Type.Object({ id: PathPart('Id of the plan.') })
const group_id = Type.Optional(Text(30, 'Only plans of this group.', ['s77']))
const ListQuery = Type.Object({ group_id, ...Paging.properties })
const CountQuery = Type.Object({ group_id, since_id: Paging.properties.since_id })
const Single = Type.Object({ plan: named(Plan) })
const plan = single(
  'plan',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentPlan(await getPlan(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockPlan(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const planRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/plans.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listPlans',
        summary: 'List plans',
        querystring: ListQuery,
        response: { 200: Type.Object({ plans: Type.Array(named(Plan)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'plans', listPlans(db, request.caller.companyId, request.query), (rows) =>
        rows.map(presentPlan),
      ),
  )

  app.get(
    '/plans/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countPlans',
        summary: 'Count plans',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countPlans(db, caller.companyId, query) }),
  )

  app.get(
    '/plans/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getPlan',
        summary: 'Read a plan',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, plan, db),
  )

  app.post(
    '/plans.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createPlan',
        summary: 'Create a plan',
        body: Type.Object({ plan: PlanInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), plan, (tx) =>
        createPlan(tx, authorOf(request), request.body.plan, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/plans/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updatePlan',
        summary: 'Change a plan',
        description:
          'Changes count for those who sign up from now on. The group and the interval stay: people have agreed to them.',
        params: Ref,
        body: Type.Object({ plan: PlanChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, plan, (tx) =>
        updatePlan(tx, authorOf(request), request.params.id, request.body.plan, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/plans/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deletePlan',
        summary: 'Delete a plan',
        description: 'To keep it and only stop new sign-ups, send `valid` false instead.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, plan, (tx) =>
        deletePlan(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
