import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requireIdentity } from '#identity/sign-in/account/guard.ts'
import { requireSession } from '#identity/sign-in/commands.ts'
import { ALL_PERMISSIONS } from '#identity/users/rules.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named } from '#platform/wire/schema.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { cancelDeletion, checkRequest, requestDeletion } from './commands.ts'
import { deletionOfAnother } from './errors.ts'
import { presentDeletion } from './present.ts'
import { findDeletion } from './queries.ts'
import { CompanyDeletion, CompanyDeletionInput } from './schema.ts'

/** Who may cancel it, and read about it. */
const managing = { access: { permissions: ['create_users'] } } as const
/** Whoever lacks a permission was not trusted with everything, and this ends everything. */
const owning = { access: { permissions: keysOf(ALL_PERMISSIONS) } }
const tags = ['Companies']
const One = Type.Object({ company_deletion: named(CompanyDeletion) })

/** The end of the own company, after a waiting time. */
export const companyDeletionRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, clock, vault, deletion: settings } = options
  const limiting = { db, change: app.change, clock }

  app.get(
    '/company/deletion.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'getCompanyDeletion',
        summary: 'Read whether the own company will be deleted',
        response: { 200: One },
      },
    },
    async ({ caller }) => ({
      company_deletion: presentDeletion(await findDeletion(db, caller.companyId), settings, nowInSeconds(clock)),
    }),
  )

  app.post(
    '/company/deletion.json',
    {
      config: owning,
      schema: {
        tags,
        operationId: 'requestCompanyDeletion',
        summary: 'Ask for the deletion of the own company',
        description:
          'Needs all permissions, the password, and the code of a user with two-step sign-in. The company takes no orders from then on. Until the day everything else goes on, and it can be cancelled.',
        body: Type.Object({ company_deletion: CompanyDeletionInput }),
        response: { 201: One },
      },
    },
    async (request, reply) => {
      const { session, body } = request
      const { company_name, ...identity } = body.company_deletion
      if (session.actsForId !== session.companyId) throw deletionOfAnother()
      await checkRequest(db, session.companyId, company_name)
      await requireIdentity({ ...limiting, vault }, session, identity)
      const deletion = await app.change((tx) =>
        requireSession(tx, session, () =>
          requestDeletion(tx, authorOf(request), { settings, baseUrl: app.baseUrl }, nowInSeconds(clock)),
        ),
      )
      return reply.code(201).send({ company_deletion: presentDeletion(deletion, settings, nowInSeconds(clock)) })
    },
  )

  app.delete(
    '/company/deletion.json',
    {
      config: managing,
      schema: {
        tags,
        operationId: 'cancelCompanyDeletion',
        summary: 'Cancel the deletion of the own company',
        response: { 200: named(Empty) },
      },
    },
    async (request) => {
      await app.change((tx) => cancelDeletion(tx, authorOf(request), nowInSeconds(clock)))
      return {}
    },
  )

  done()
}
