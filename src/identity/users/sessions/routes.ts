import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Id, named } from '#platform/wire/schema.ts'
import { presentUser } from '../present.ts'
import { User } from '../schema.ts'
import { getSessionHolder } from './queries.ts'

const CompanyName = Type.Object({ id: Id('Id of the company.'), company_name: Type.String() })
const Session = Type.Object(
  {
    user: named(User),
    company: CompanyName,
    currency: Type.String({ description: 'Home currency of the company.', examples: ['EUR'] }),
    companies: Type.Array(CompanyName, {
      description: 'The companies for which the user can act: the own one, and those that name it as their partner.',
    }),
  },
  { description: 'Who is signed in, where, and with which permissions: those of `user`.' },
)

/** For the pages of the service, which ask who has signed in before they show anything. */
export const sessionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/session.json',
    {
      config: { access: {} },
      schema: {
        tags: ['Users'],
        operationId: 'getSession',
        summary: 'Read who is signed in',
        response: { 200: Type.Object({ session: Session }) },
      },
    },
    async ({ caller }) => {
      const { user, company, currency, associates } = await getSessionHolder(db, caller)
      return { session: { user: presentUser(user), company, currency, companies: [company, ...associates] } }
    },
  )

  done()
}
