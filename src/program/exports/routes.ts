import { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordChange } from '#history/audit/commands.ts'
import { withoutSecret } from '#identity/companies/present.ts'
import { getCompanyDocument } from '#identity/companies/queries.ts'
import { answerBytes, sendFile } from '#platform/http/answers/answers.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { exportUnderWay } from './errors.ts'
import { type ExportedList, exportedLists } from './queries.ts'

const config = { access: { permissions: ['create_users'] } } as const
const tags = ['Companies']

/** A page is read when the client has taken the one before, so that an export of any size costs little memory. */
async function* partsOf(request: FastifyRequest, company: string, lists: ExportedList[]): AsyncGenerator<Buffer> {
  yield answerBytes(request, '{"company":', [company], '')
  for (const { name, read } of lists) {
    let page = await read(0)
    yield answerBytes(request, `,\n"${name}":[`, page.documents, '')
    while (page.more) {
      page = await read(page.lastId)
      yield answerBytes(request, ',', page.documents, '')
    }
    yield Buffer.from(']')
  }
  yield Buffer.from('}\n')
}

/** Everything that a company has, as one file. */
export const exportRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, longReads, now }, done) => {
  /** The companies whose exports this process is sending. */
  const underWay = new Set<number>()

  app.get(
    '/company/export.json',
    {
      config,
      schema: {
        tags,
        operationId: 'exportCompany',
        summary: 'Export everything that the own company has',
        description:
          'One JSON file with the company and its lists, in the field names of the API. Content files, pictures and the signing secret are not in it. Each export is in the audit log. One is sent at a time.',
        response: {
          200: {
            description: 'The file.',
            content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      if (underWay.has(companyId)) throw exportUnderWay()
      underWay.add(companyId)
      // It is over when the last byte was sent, when the client has gone, and when it was refused.
      reply.raw.once('close', () => underWay.delete(companyId))
      // A file is passed on, and whoever has the secret can sign in as any customer.
      const company = withoutSecret(await getCompanyDocument(db, companyId, String(companyId)))
      await app.change((tx) => recordChange(tx, authorOf(request), 'company data exported', '', now(companyId)))
      const lists = exportedLists(await longReads(), companyId, now(companyId))
      const content = Readable.from(partsOf(request, company, lists))
      return sendFile(reply, { name: `company-${companyId}.json`, type: 'application/json' }, content)
    },
  )

  done()
}
