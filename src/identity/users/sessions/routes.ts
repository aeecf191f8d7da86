import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import type { Session as SignedIn } from '#platform/identity/session.ts'
import { secondFactorMissing, sessionRequired } from '#platform/pages/errors.ts'
import { Id, named, nullable, Time } from '#platform/wire/schema.ts'
import { wireTime } from '#platform/wire/times.ts'
import { presentUser } from '../present.ts'
import { User } from '../schema.ts'
import { switchCompany } from './commands.ts'
import { findSession, getSessionHolder } from './queries.ts'

const config = { access: { own: true } } as const
const tags = ['Account']
const CompanyName = Type.Object({ id: Id('Id of the company.'), company_name: Type.String() })
const Session = Type.Object(
  {
    user: named(User),
    company: Type.Object(CompanyName.properties, { description: 'The company for which the user works now.' }),
    currency: Type.String({ description: 'Home currency of the company.', examples: ['EUR'] }),
    deletion_due_at: nullable(Time('When the company will be deleted; null: nobody asked for it.')),
    sandbox: Type.Boolean({ description: 'The company is a sandbox, whose clock can be moved.' }),
    backups_offered: Type.Boolean({ description: 'The operator lets users of the company see and start backups.' }),
    second_factor_missing: Type.Boolean({
      description:
        'The company requires two-step sign-in, and the user has not set it up: nothing else works until then.',
    }),
    companies: Type.Array(CompanyName, {
      description: 'The companies for which the user can act: the own one, and those that name it as their partner.',
    }),
  },
  { description: 'Who is signed in, where, and with which permissions: those of `user`.' },
)

/** For the pages of the service, which ask who has signed in before they show anything. */
export const sessionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, clock, backups }, done) => {
  const presentSession = async (session: SignedIn) => {
    const { user, deletionDueAt, ...rest } = await getSessionHolder(db, session)
    const deletion_due_at = deletionDueAt === null ? null : wireTime(deletionDueAt)
    const second_factor_missing = session.secondFactorMissing
    const isOperator = session.companyId === backups?.companyId && session.actsForId === session.companyId
    const ofCompany = { deletion_due_at, backups_offered: isOperator }
    return { session: { user: presentUser(user), second_factor_missing, ...ofCompany, ...rest } }
  }

  app.get(
    '/session.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getSession',
        summary: 'Read who is signed in',
        response: { 200: Type.Object({ session: Session }) },
      },
    },
    async ({ session }) => presentSession(session),
  )

  app.post(
    '/session/switch.json',
    {
      config: { access: { beforeSecondFactor: true } },
      schema: {
        tags,
        operationId: 'switchCompany',
        summary: 'Work for another company',
        description:
          'One of `companies` of the session. From then on, requests of this session are about that company, with the same permissions. The way back to the own company is open also where two-step sign-in is required and not set up.',
        body: Type.Object({ session: Type.Object({ company_id: Id('Id of the company.') }) }),
        response: { 200: Type.Object({ session: Session }) },
      },
    },
    async (request) => {
      const { session, body } = request
      const companyId = body.session.company_id
      if (session.secondFactorMissing && companyId !== session.companyId) throw secondFactorMissing()
      const isSwitched = await app.change((tx) =>
        switchCompany(tx, session, companyId, originOf(request), nowInSeconds(clock)),
      )
      // What is required of the user may be another thing there.
      const switched = isSwitched
        ? await findSession(db, Buffer.from(session.key, 'hex'), nowInSeconds(clock))
        : undefined
      if (switched === undefined) throw sessionRequired()
      return presentSession(switched)
    },
  )

  done()
}
