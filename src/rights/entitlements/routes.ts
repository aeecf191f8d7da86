import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendDocuments, sendRows } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart, Text } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { restoreEntitlement, revokeEntitlement } from './commands.ts'
import { getOwner } from './devices/queries.ts'
import { documentsOf } from './listed.queries.ts'
import { presentExplanation, storedDocument, wholeDocument } from './present.ts'
import { countEntitlements, type EntitlementFilters, getEntitlement, listEntitlements, type Viewer } from './queries.ts'
import { decide } from './rights/rules.ts'
import { askOf, readQuestion, rightsOf } from './rules.ts'
import { AskInput, Entitlement, Explanation } from './schema.ts'
import { presentRefusal, presentUse } from './uses/present.ts'
import { listRefusals, listUses } from './uses/queries.ts'
import { Refusal, Use } from './uses/schema.ts'

const reading = { access: { scope: ['customers', 'player'] } } as const
/** For the company alone, not for players. */
const changing = { access: { scope: 'customers', permissions: ['unlock'] } } as const
const tags = ['Entitlements']
const Ref = Type.Object({ id: PathPart('Id of the entitlement.') })
/** More than the longest tag of a language. */
const LANGUAGE_MAX = 10
const CustomerRef = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })
const filters = {
  customer_token: Type.Optional(Text(50, 'Only those of this customer.')),
  order_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only those of this order.' }),
  ),
  product_id: Type.Optional(Text(50, 'Only those of this product, by its `product_id`.')),
}
/** People who help customers do not always read their language. */
const Wording = {
  language: Type.Optional(Text(LANGUAGE_MAX, "Language of the sentences. Without one it is the customer's.", ['en'])),
}
const ListQuery = Type.Object({ ...filters, ...Wording, ...Paging.properties })
const CountQuery = Type.Object({ ...filters, since_id: Paging.properties.since_id })
const One = Type.Object({ entitlement: named(Entitlement) })
const SingleQuery = Type.Object({ ...Wording, ...Fields.properties })
const ExplainQuery = Type.Object({ ...Type.Partial(AskInput).properties, ...SingleQuery.properties })

function readFilters({ customer_token, order_id, product_id }: Static<typeof CountQuery>): EntitlementFilters {
  return { customer_token: customer_token?.toUpperCase(), order_id, product_id: product_id?.toUpperCase() }
}

export const entitlementRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const sendAll = (
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    viewer: Viewer,
    chosen: EntitlementFilters,
    language?: string,
  ) =>
    sendDocuments(request, reply, key, listEntitlements(db, viewer, chosen, now(viewer.companyId), language), (rows) =>
      documentsOf(db, viewer.companyId, rows, now(viewer.companyId), language),
    )

  app.get(
    '/customers/:token/content.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listContent',
        summary: 'List what a customer owns',
        description: 'Everything that was bought from the company, redeemed or given, also what has ended.',
        params: CustomerRef,
        querystring: Paging,
        response: { 200: Type.Object({ content: Type.Array(named(Entitlement)) }) },
      },
    },
    async (request, reply) => {
      const owner = await getOwner(db, request.caller, request.params.token)
      return sendAll(request, reply, 'content', owner, {}, owner.language)
    },
  )

  app.get(
    '/entitlements.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listEntitlements',
        summary: 'List entitlements',
        querystring: ListQuery,
        response: { 200: Type.Object({ entitlements: Type.Array(named(Entitlement)) }) },
      },
    },
    async (request, reply) => {
      const { language, ...chosen } = request.query
      return sendAll(request, reply, 'entitlements', request.caller, readFilters(chosen), language)
    },
  )

  app.get(
    '/entitlements/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countEntitlements',
        summary: 'Count entitlements',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({
      count: await countEntitlements(db, caller, { ...readFilters(query), since_id: query.since_id }),
    }),
  )

  app.get(
    '/entitlements/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getEntitlement',
        summary: 'Read an entitlement',
        params: Ref,
        querystring: SingleQuery,
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { entitlement, language } = await getEntitlement(db, request.caller, request.params.id)
      const document = wholeDocument(
        entitlement,
        storedDocument(entitlement, request.query.language ?? language, now(request.caller.companyId)),
      )
      return sendDocument(request, reply, 'entitlement', document)
    },
  )

  app.get(
    '/entitlements/:id/explain.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'explainEntitlement',
        summary: 'Explain a decision',
        description: 'Shows each rule, what it looks at, and what it says. Nothing is counted and nothing is kept.',
        params: Ref,
        querystring: ExplainQuery,
        response: { 200: Type.Object({ explanation: named(Explanation) }) },
      },
    },
    async (request, reply) => {
      const { language, ...question } = request.query
      const asked = readQuestion({ action: 'play', ...question }, request.caller.appId ?? 0)
      const found = await getEntitlement(db, request.caller, request.params.id, asked.device ?? '')
      const rights = rightsOf(found.entitlement)
      const [ask, time] = [askOf(asked, found.device), now(request.caller.companyId)]
      const explanation = presentExplanation(rights, ask, decide(rights, ask, time), language ?? found.language, time)
      return sendDocument(request, reply, 'explanation', asciiJson(explanation))
    },
  )

  app.get(
    '/entitlements/:id/uses.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listUses',
        summary: 'List the uses and refusals of an entitlement',
        description: 'Oldest first. They are kept for two years.',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ uses: Type.Array(named(Use)) }) },
      },
    },
    async (request, reply) => {
      const { entitlement } = await getEntitlement(db, request.caller, request.params.id)
      const { company_id, id } = entitlement
      return sendRows(request, reply, 'uses', listUses(db, company_id, id), (rows) => rows.map(presentUse))
    },
  )

  app.get(
    '/customers/:token/refusals.json',
    {
      config: { access: { scope: 'customers' } },
      schema: {
        tags,
        operationId: 'listRefusals',
        summary: 'List what a customer was refused',
        description: 'Oldest first. They are kept for two years.',
        params: CustomerRef,
        querystring: Paging,
        response: { 200: Type.Object({ refusals: Type.Array(named(Refusal)) }) },
      },
    },
    async (request, reply) => {
      const owner = await getOwner(db, request.caller, request.params.token)
      return sendRows(request, reply, 'refusals', listRefusals(db, owner), (rows) => rows.map(presentRefusal))
    },
  )

  app.post(
    '/entitlements/:id/revoke.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'revokeEntitlement',
        summary: 'Revoke an entitlement',
        description: 'The customer can no longer use it. Revoking twice changes nothing.',
        params: Ref,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'entitlement', (tx) =>
        revokeEntitlement(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/entitlements/:id/restore.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'restoreEntitlement',
        summary: 'Restore an entitlement',
        description: 'Gives back what was revoked, by whatever reason, with the uses and the time that are left.',
        params: Ref,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'entitlement', (tx) =>
        restoreEntitlement(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
