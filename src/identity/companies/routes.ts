import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendList } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, named, PathPart, SearchParameter, TimeInput } from '#platform/wire/schema.ts'
import { updateCompany } from './commands.ts'
import {
  countCompanies,
  getCompanyDocument,
  getOwnCompany,
  listAssociates,
  lockCompany,
  searchAssociates,
} from './queries.ts'
import { Company, CompanyInput } from './schema.ts'

const config = { access: { scope: 'companies', permissions: ['create_users'] } } as const
const tags = ['Companies']
const Ref = Type.Object({ token: PathPart('Id of the company.') })
const updated_at_min = Type.Optional(TimeInput('Only companies changed at this time or later.'))
const self = Type.Optional(Type.Boolean({ description: '`1`: the own company, for a partner too.' }))
const ListQuery = Type.Object({ ...Paging.properties, updated_at_min, self })
const SearchQuery = Type.Object({
  ...Paging.properties,
  query: Type.Optional(SearchParameter('What to look for.')),
})
const CountQuery = Type.Object({ updated_at_min, since_id: Paging.properties.since_id })
const One = Type.Object({ company: named(Company) })
const Many = Type.Object({ companies: Type.Array(named(Company)) })
const company = single(
  'company',
  async (db, { caller, params }: Asked<{ token: string }>) => getCompanyDocument(db, caller.companyId, params.token),
  (tx, { caller, params }) => lockCompany(tx, caller.companyId, params.token),
)

export const companyRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/companies.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listCompanies',
        summary: 'Read the own company, or list associated ones',
        description:
          'A partner gets the companies that name it as their partner. Any other company gets itself, under `company`.',
        querystring: ListQuery,
        response: { 200: Type.Union([Many, One]), 304: Type.Null({ description: 'Nothing changed.' }) },
      },
    },
    async (request, reply) => {
      const { caller, query } = request
      const own = await getOwnCompany(db, caller.companyId)
      const alone = !own.is_partner || query.self === true
      return alone
        ? sendDocument(request, reply, company.key, own.document)
        : sendList(request, reply, 'companies', listAssociates(db, caller.companyId, query))
    },
  )

  app.get(
    '/companies/search.json',
    {
      config,
      schema: {
        tags,
        operationId: 'searchCompanies',
        summary: 'Search associated companies',
        description: 'For partners only.',
        querystring: SearchQuery,
        response: { 200: Many },
      },
    },
    async (request, reply) =>
      sendList(request, reply, 'companies', await searchAssociates(db, request.caller.companyId, request.query.query)),
  )

  app.get(
    '/companies/count.json',
    {
      config,
      schema: {
        tags,
        operationId: 'countCompanies',
        summary: 'Count associated companies',
        description: 'Counts what the list shows: for a company that is no partner, itself.',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countCompanies(db, caller.companyId, query) }),
  )

  app.get(
    '/companies/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getCompany',
        summary: 'Read a company',
        description: 'The own one, or one that names the caller as its partner.',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, company, db),
  )

  app.put(
    '/companies/:token.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateCompany',
        summary: 'Change a company',
        description: 'The own one, or one that names the caller as its partner. Read-only fields are ignored.',
        params: Ref,
        body: Type.Object({ company: CompanyInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, company, (tx) =>
        updateCompany(tx, request.caller, request.params.token, request.body.company, now(request.caller.companyId)),
      ),
  )

  done()
}
