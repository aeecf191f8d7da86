import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { validationFailed } from '#platform/errors/problem.ts'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { CsvFormat, isCsv, listOrFile, sendCsv } from '#platform/http/answers/csv-lists.ts'
import { Fields, Paging, sendList, sortedPaging } from '#platform/http/answers/lists.ts'
import { type Asked, assertMatch, sendChanged, sendSingle, single } from '#platform/http/answers/single.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import {
  Count,
  EmailParameter,
  Empty,
  named,
  PathPart,
  SearchParameter,
  TimeInput,
  WordsParameter,
} from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './commands.ts'
import type { Forgetting } from './erasure.worker.ts'
import { accountShared, neededForCheck } from './errors.ts'
import { HEADING, linesOf } from './lists/csv.present.ts'
import { countCustomers, listCustomers, searchCustomers } from './lists/queries.ts'
import { createChecks } from './passwords/checks.commands.ts'
import { presentCustomer } from './present.ts'
import { getCustomerDocument, lockCustomer } from './queries.ts'
import { emptyRelation } from './rules.ts'
import { Customer, CustomerInput, NewCustomerInput, PasswordDiffers } from './schema.ts'

const config = { access: { scope: 'customers' } } as const
const deleting = { access: { scope: 'customers', permissions: ['unlock'] } } as const
const tags = ['Customers']
const Ref = Type.Object({ token: PathPart('Token of the customer, in any case, or its id.') })
const updated_at_min = Type.Optional(TimeInput('Only customers changed at this time or later.'))
const q = Type.Optional(WordsParameter('Words that begin the name, or the email address, of a customer.', 'jane ro'))
const filters = {
  created_at_min: Type.Optional(TimeInput('Only customers whom the company knows since this time or later.')),
  created_at_max: Type.Optional(TimeInput('Only customers whom the company knows since this time or earlier.')),
  state: Type.Optional(Type.String({ enum: ['enabled', 'disabled'], description: 'Only customers in this state.' })),
}
const ListQuery = Type.Object({
  ...sortedPaging('first_name', 'last_name', 'updated_at').properties,
  updated_at_min,
  ...filters,
  q,
  format: CsvFormat,
  email: Type.Optional(EmailParameter(300, 'With `password`: checks it for the customer with this address.')),
  password: Type.Optional(Type.String({ maxLength: 300, description: 'The password to check.' })),
})
const SearchQuery = Type.Object({
  ...Paging.properties,
  query: Type.Optional(
    SearchParameter('What to look for: `field:value`, by `email`, `token`, `first_name` or `last_name`.'),
  ),
})
const CountQuery = Type.Object({ updated_at_min, ...filters, q, since_id: Paging.properties.since_id })
const One = Type.Object({ customer: named(Customer) })
const Many = Type.Object({ customers: Type.Array(named(Customer)) })

const MISMATCH = { error: 'Customer found but password does not match.', error_code: -1 as const }
const customer = single(
  'customer',
  async (db, { caller, params }: Asked<{ token: string }>) => getCustomerDocument(db, caller.companyId, params.token),
  (tx, { caller, params }) => lockCustomer(tx, caller.companyId, params.token),
)

export const createCustomerRoutes =
  (forgetting: Forgetting): FastifyPluginCallbackTypebox<ResourceOptions> =>
  (app, { db, now, clock }, done) => {
    const { check, prove, prepare } = createChecks({ db, clock, change: (work) => app.change(work) })

    app.get(
      '/customers.json',
      {
        config,
        schema: {
          tags,
          operationId: 'listCustomers',
          summary: 'List customers, or check a password',
          description:
            'With `email` and `password` the answer is the customer if both match, `{}` if there is no such customer on the platform, and an object with `error_code` -1 if the password is another. Checks are limited by email address and by company.',
          querystring: ListQuery,
          response: {
            200: listOrFile(Type.Union([Many, One, named(PasswordDiffers), named(Empty)])),
            304: Type.Null({ description: 'Nothing changed.' }),
          },
        },
      },
      async (request, reply) => {
        const { companyId } = request.caller
        const { email, password } = request.query
        if (email === undefined && password === undefined)
          return isCsv(request.query.format)
            ? sendCsv(reply, 'customers.csv', listCustomers(db, companyId, request.query), HEADING, linesOf)
            : sendList(request, reply, 'customers', listCustomers(db, companyId, request.query))
        if (!email?.trim()) throw validationFailed('email', neededForCheck())
        if (!password) throw validationFailed('password', neededForCheck())
        const result = await check(companyId, email.trim(), password)
        reply.header('cache-control', 'no-store')
        if (result.kind === 'unknown') return reply.send({})
        if (result.kind === 'wrong') return reply.send({ ...MISMATCH, companies: result.companies })
        const { account, document } = result
        // A company that does not know the customer yet sees the account alone.
        const stranger = emptyRelation(companyId, account.id, account.created_at)
        return sendDocument(
          request,
          reply,
          'customer',
          document ?? asciiJson(presentCustomer(account, { ...stranger, updated_at: account.updated_at })),
        )
      },
    )

    app.get(
      '/customers/search.json',
      {
        config,
        schema: {
          tags,
          operationId: 'searchCustomers',
          summary: 'Search customers',
          description: 'The whole value counts, in any case.',
          querystring: SearchQuery,
          response: { 200: Many },
        },
      },
      async (request, reply) =>
        sendList(request, reply, 'customers', searchCustomers(db, request.caller.companyId, request.query.query)),
    )

    app.get(
      '/customers/count.json',
      {
        config,
        schema: {
          tags,
          operationId: 'countCustomers',
          summary: 'Count customers',
          querystring: CountQuery,
          response: { 200: named(Count) },
        },
      },
      async ({ caller, query }) => ({ count: await countCustomers(db, caller.companyId, query) }),
    )

    app.get(
      '/customers/:token.json',
      {
        config,
        schema: {
          tags,
          operationId: 'getCustomer',
          summary: 'Read a customer',
          params: Ref,
          querystring: Fields,
          response: { 200: One },
        },
      },
      async (request, reply) => sendSingle(request, reply, customer, db),
    )

    app.post(
      '/customers.json',
      {
        config,
        schema: {
          tags,
          operationId: 'createCustomer',
          summary: 'Create a customer',
          description:
            'An account is one per email address on the whole platform. If there is one already and the password is right, the company gets to know that customer, with the names and addresses of the body: it sees none that other companies have. Without `language` it is that of the country, else that of the `Accept-Language` of the request, else that of the company.',
          body: Type.Object({ customer: NewCustomerInput }),
          response: { 201: One },
        },
      },
      async (request, reply) => {
        const { caller, body } = request
        const credentials = await prove(caller.companyId, body.customer)
        const hints = { country: '', acceptLanguage: request.headers['accept-language'] ?? '' }
        return app.write(request, reply.code(201), customer, (tx) =>
          createCustomer(tx, caller, body.customer, credentials, now(request.caller.companyId), { hints }),
        )
      },
    )

    app.put(
      '/customers/:token.json',
      {
        config,
        schema: {
          tags,
          operationId: 'updateCustomer',
          summary: 'Change a customer',
          description:
            'Names, addresses and note are those of the company: no other company sees them. Email address and password can be changed as long as no other company knows the customer. Otherwise it is 409, nothing of the body is done, and the customer gets a mail with a link to do it.',
          params: Ref,
          body: Type.Object({ customer: CustomerInput }),
          response: { 200: One },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        const prepared = await prepare(caller.companyId, params.token, body.customer)
        const change = await app.change(async (tx) => {
          await assertMatch(tx, request, customer)
          return updateCustomer(
            tx,
            caller,
            params.token,
            body.customer,
            prepared,
            app.baseUrl,
            now(request.caller.companyId),
          )
        })
        // Refused only now, when the mail to the customer is committed.
        if (change.kind === 'left to the customer') throw accountShared(change.what)
        return sendChanged(request, reply, customer.key, change.document)
      },
    )

    app.delete(
      '/customers/:token.json',
      {
        config: deleting,
        schema: {
          tags,
          operationId: 'deleteCustomer',
          summary: 'Delete a customer',
          description: 'The company knows the customer no more. If no other company does, the account is erased.',
          params: Ref,
          response: { 200: named(Empty) },
        },
      },
      async (request, reply) =>
        app.remove(request, reply, customer, async (tx) => {
          await deleteCustomer(tx, request.caller, request.params.token, forgetting, now(request.caller.companyId))
        }),
    )

    done()
  }
