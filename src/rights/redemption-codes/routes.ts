import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { sendFile } from '#platform/http/answers/answers.ts'
import { csvOf } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart, Text, WordsParameter } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createRedemptionCodes, revokeRedemptionCode, updateRedemptionCode } from './commands.ts'
import { HEADING, linesOf } from './csv.present.ts'
import { isUnknownCode } from './errors.ts'
import { callGiftBack, giveCode } from './gifts/commands.ts'
import { assertMayGuess, countGuess, guessLimits } from './limits.commands.ts'
import { presentRedemption, presentRedemptionCode } from './present.ts'
import {
  type CodeFilters,
  countRedemptionCodes,
  getRedeemer,
  getRedemptionCode,
  listRedemptionCodes,
  listRedemptions,
  lockRedemptionCode,
} from './queries.ts'
import { redeemCode } from './redeem.commands.ts'
import { readBeginning, readCode, readTypedCode } from './rules.ts'
import {
  GiftInput,
  GrantedEntitlements,
  NewRedemptionCodes,
  RedeemInput,
  Redemption,
  RedemptionCode,
  RedemptionCodeChange,
} from './schema.ts'

const config = { access: { scope: 'customers', permissions: ['request_beta_code'] } } as const
const tags = ['Redemption codes']
const Ref = Type.Object({ id: PathPart('Id of the redemption code.') })
const CustomerRef = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })
const filters = {
  product_id: Type.Optional(Text(50, 'Only codes for this product, by its `product_id`.')),
  order_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only codes of this order.' }),
  ),
  code: Type.Optional(Text(100, 'Only this code, as a customer typed it.')),
  q: Type.Optional(WordsParameter('The beginning of a code.', 'K7QF')),
}
const ListQuery = Type.Object({
  ...filters,
  ...Paging.properties,
  format: Type.Optional(
    Type.String({ maxLength: 10, description: '`csv` for a file that a spreadsheet opens, with all codes.' }),
  ),
})
const CountQuery = Type.Object({ ...filters, since_id: Paging.properties.since_id })
const Single = Type.Object({ redemption_code: named(RedemptionCode) })
const Many = Type.Object({ redemption_codes: Type.Array(named(RedemptionCode)) })

/** A text that cannot be a code finds nothing. */
function readFilters({ product_id, order_id, code, q }: Static<typeof CountQuery>): CodeFilters {
  return {
    product_id: product_id?.toUpperCase(),
    order_id,
    code: code === undefined ? undefined : (readCode(code) ?? ''),
    beginning: q === undefined ? undefined : readBeginning(q),
  }
}

/** For apps and for signed-in users. */
export const redemptionCodeRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const redemptionCode = single(
    'redemption_code',
    async (db, { caller, params }: Asked<{ id: string }>) =>
      asciiJson(presentRedemptionCode(await getRedemptionCode(db, caller.companyId, params.id), now(caller.companyId))),
    (tx, { caller, params }) => lockRedemptionCode(tx, caller.companyId, params.id),
  )

  app.get(
    '/redemption_codes.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listRedemptionCodes',
        summary: 'List redemption codes',
        querystring: ListQuery,
        response: {
          200: {
            description: 'The codes, or the file.',
            content: {
              'application/json': { schema: Many },
              'text/csv': { schema: Type.String({ description: 'With `format=csv`.' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const list = listRedemptionCodes(db, companyId, readFilters(request.query))
      const present = (codes: Parameters<typeof presentRedemptionCode>[0][]) =>
        codes.map((code) => presentRedemptionCode(code, now(request.caller.companyId)))
      if (request.query.format?.toLowerCase() !== 'csv')
        return sendRows(request, reply, 'redemption_codes', list, present)
      return sendFile(
        reply,
        { name: 'redemption-codes.csv', type: 'text/csv' },
        await csvOf(list, HEADING, (codes) => linesOf(present(codes))),
      )
    },
  )

  app.get(
    '/redemption_codes/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countRedemptionCodes',
        summary: 'Count redemption codes',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({
      count: await countRedemptionCodes(db, caller.companyId, { ...readFilters(query), since_id: query.since_id }),
    }),
  )

  app.get(
    '/redemption_codes/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getRedemptionCode',
        summary: 'Read a redemption code',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, redemptionCode, db),
  )

  app.get(
    '/redemption_codes/:id/redemptions.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listRedemptions',
        summary: 'List who redeemed a code',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ redemptions: Type.Array(named(Redemption)) }) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const { id } = await getRedemptionCode(db, companyId, request.params.id)
      return sendRows(request, reply, 'redemptions', listRedemptions(db, companyId, id), (rows) =>
        rows.map(presentRedemption),
      )
    },
  )

  app.post(
    '/redemption_codes.json',
    {
      config,
      schema: {
        tags,
        operationId: 'createRedemptionCodes',
        summary: 'Make redemption codes',
        description:
          'Up to 10,000 codes for a product, each good as often as `uses` says. Whoever redeems one gets the product under the license as it is now; the time of the license begins then. With `group_id` they make somebody a member instead.',
        body: Type.Object({ redemption_code: NewRedemptionCodes }),
        response: { 201: Many },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), 'redemption_codes', (tx) =>
        createRedemptionCodes(tx, authorOf(request), request.body.redemption_code, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/redemption_codes/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateRedemptionCode',
        summary: 'Change a redemption code',
        params: Ref,
        body: Type.Object({ redemption_code: RedemptionCodeChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, redemptionCode, (tx) =>
        updateRedemptionCode(
          tx,
          authorOf(request),
          request.params.id,
          request.body.redemption_code,
          now(request.caller.companyId),
        ),
      ),
  )

  app.delete(
    '/redemption_codes/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeRedemptionCode',
        summary: 'Revoke a redemption code',
        description:
          'Nobody can redeem it any more. What was redeemed stays with its customers, and the code is listed.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, redemptionCode, (tx) =>
        revokeRedemptionCode(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/redemption_codes/:id/gift.json',
    {
      config,
      schema: {
        tags,
        operationId: 'giveRedemptionCode',
        summary: 'Give a code to somebody by mail',
        description: 'The mail comes from the shop, at `send_at`. Until then it can be called back.',
        params: Ref,
        body: Type.Object({ gift: GiftInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), redemptionCode, (tx) =>
        giveCode(tx, authorOf(request), request.params.id, request.body.gift, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/redemption_codes/:id/call_back.json',
    {
      config,
      schema: {
        tags,
        operationId: 'callGiftBack',
        summary: 'Call a gift back before it is sent',
        params: Ref,
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, redemptionCode, (tx) =>
        callGiftBack(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}

/** For the company, and for the customer's own app. */
export const redeemRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, clock }, done) => {
  app.post(
    '/customers/:token/redeem.json',
    {
      config: { access: { scope: ['customers', 'player'], permissions: ['request_beta_code'] } },
      schema: {
        tags: ['Redemption codes'],
        operationId: 'redeemCode',
        summary: 'Redeem a code for a customer',
        description:
          'Takes one use of the code into the account, and answers what the customer got: several entitlements if the product includes others, and none if the code makes the customer a member. A mistyped code counts as no guess; a code that does not exist does, and too many of them are 429. Where the company has imported codes of its own, every code that is not found counts.',
        params: CustomerRef,
        body: Type.Object({ redeem: RedeemInput }),
        response: { 201: Type.Object({ entitlements: GrantedEntitlements }) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const code = readTypedCode(body.redeem.code)
      const { customerId } = await getRedeemer(db, caller, params.token)
      const limits = guessLimits(caller, customerId, request.ip)
      await assertMayGuess(db, limits, nowInSeconds(clock))
      const answer = app.write(request, reply.code(201), 'entitlements', (tx) =>
        redeemCode(tx, caller.companyId, params.token, code, now(request.caller.companyId)),
      )
      return answer.catch(async (error: unknown) => {
        // The refusal has rolled the transaction back, so the guess is counted in one of its own.
        if (isUnknownCode(error)) await app.change((tx) => countGuess(tx, limits, nowInSeconds(clock)))
        throw error
      })
    },
  )

  done()
}
