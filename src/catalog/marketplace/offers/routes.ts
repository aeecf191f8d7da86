import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendEntries, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { changeOffer, offerProducts, withdrawOffer } from '../commands.ts'
import { presentOffer } from '../present.ts'
import { findOfferOf, getOfferOf, lockOfferOf } from '../queries.ts'
import { MarketOffer, OfferInput } from '../schema.ts'
import { listMarketCompanies, readTakers } from './queries.ts'
import { MarketCompany, OfferTaker } from './schema.ts'

const reading = { access: { scope: 'products' } } as const
const changing = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Marketplace']
const Ref = Type.Object({ id: PathPart('Id of the offer.') })
const Body = Type.Object({ market_offer: OfferInput })
const One = Type.Object({ market_offer: named(MarketOffer) })
const offer = single(
  'market_offer',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentOffer(await getOfferOf(db, caller.companyId, params.id))),
  (tx, { caller }) => lockOfferOf(tx, caller.companyId),
)

/** What a company offers itself. `/marketplace.json` shows it to others. */
export const marketOfferRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/market_offers.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listMarketOffers',
        summary: 'List what the company offers itself',
        description: 'A company has one offer at most.',
        querystring: Paging,
        response: { 200: Type.Object({ market_offers: Type.Array(named(MarketOffer)) }) },
      },
    },
    async (request, reply) => {
      const found = await findOfferOf(db, request.caller.companyId)
      return sendEntries(request, reply, 'market_offers', found === undefined ? [] : [presentOffer(found)])
    },
  )

  app.get(
    '/market_offers/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getMarketOffer',
        summary: 'Read what the company offers itself',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, offer, db),
  )

  app.get(
    '/market_offers/:id/takers.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listOfferTakers',
        summary: 'List the companies that sell the products of an offer',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ takers: Type.Array(named(OfferTaker)) }) },
      },
    },
    async (request, reply) => {
      const { company_id } = await getOfferOf(db, request.caller.companyId, request.params.id)
      return sendEntries(request, reply, 'takers', await readTakers(db, company_id))
    },
  )

  app.get(
    '/market_companies.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listMarketCompanies',
        summary: 'List the companies that an offer can be made for',
        description:
          'Those that offer something to the company, those that sell its products, and those that its offer names. Any other company can be named by its id.',
        querystring: Paging,
        response: { 200: Type.Object({ market_companies: Type.Array(named(MarketCompany)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'market_companies', listMarketCompanies(db, request.caller.companyId), (rows) => rows),
  )

  app.post(
    '/market_offers.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createMarketOffer',
        summary: "Offer the company's products to others",
        description:
          'Every company of the service can take them, or those that `company_ids` names, for the share that the offer names.',
        body: Body,
        response: { 201: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), offer, (tx) =>
        offerProducts(tx, request.caller, request.body.market_offer, now(request.caller.companyId)),
      ),
  )

  app.put(
    '/market_offers/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateMarketOffer',
        summary: 'Change what the company offers',
        description:
          'Companies that have taken products keep the agreed percentage. Those that are no longer in `company_ids` can no longer sell them.',
        params: Ref,
        body: Body,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, offer, async (tx) => {
        await getOfferOf(tx, request.caller.companyId, request.params.id)
        return changeOffer(tx, request.caller, request.body.market_offer, now(request.caller.companyId))
      }),
  )

  app.delete(
    '/market_offers/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'withdrawMarketOffer',
        summary: 'Stop offering products to others',
        description:
          'Other companies can no longer sell them. What they sold stays sold, and what they owe is still owed.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, offer, async (tx) => {
        await getOfferOf(tx, request.caller.companyId, request.params.id)
        await withdrawOffer(tx, request.caller, now(request.caller.companyId))
      }),
  )

  done()
}
