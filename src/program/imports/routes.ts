import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { etagOf, holds, sendFile } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { assertMayImport, hiddenKinds } from './access.ts'
import { changeImport, deleteImport, startCheck, startRun } from './commands.ts'
import { mistakesFile } from './mistakes-file.ts'
import { presentImport } from './present.ts'
import { getImport, listImports, lockImport, readContent } from './queries.ts'
import { Import, ImportInput } from './schema.ts'

const config = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Imports']
const Ref = Type.Object({ id: PathPart('Id of the import.') })
const One = Type.Object({ import: named(Import) })

const importOf = single(
  'import',
  async (db, { caller, params }: Asked<{ id: string }>) => {
    const state = await getImport(db, caller.companyId, params.id)
    assertMayImport(caller, state.kind)
    return asciiJson(presentImport(state))
  },
  async (tx, { caller, params }) => {
    const state = await lockImport(tx, caller.companyId, params.id)
    assertMayImport(caller, state.kind)
  },
)

function sendMistakes({ headers }: FastifyRequest, reply: FastifyReply, file: Buffer): FastifyReply {
  const etag = etagOf(file)
  reply.header('etag', etag)
  if (holds(headers['if-none-match'], etag)) return reply.code(304).send()
  return sendFile(reply, { name: 'mistakes.csv', type: 'text/csv' }, file)
}

export const importRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/imports.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listImports',
        summary: 'List the files that were sent',
        description:
          'Those of the last three days. Files of customers and of codes are listed for apps with the scope `customers`.',
        querystring: Paging,
        response: { 200: Type.Object({ imports: Type.Array(named(Import)) }) },
      },
    },
    async (request, reply) => {
      const { caller } = request
      const list = listImports(db, caller.companyId, hiddenKinds(caller))
      return sendRows(request, reply, 'imports', list, (rows) => rows.map(presentImport))
    },
  )

  app.get(
    '/imports/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getImport',
        summary: 'Read how an import goes',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, importOf, db),
  )

  app.get(
    '/imports/:id/mistakes.csv',
    {
      config,
      schema: {
        tags,
        operationId: 'getImportMistakes',
        summary: 'Read the lines with mistakes as a file',
        description:
          'The lines that `report.mistakes` is about, as the file has them, with what is wrong in the column `error`. Mended, it can be imported by itself.',
        params: Ref,
        response: {
          200: {
            description: 'The file.',
            content: { 'text/csv': { schema: Type.String({ description: 'The headings, and the lines.' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const state = await getImport(db, caller.companyId, params.id)
      assertMayImport(caller, state.kind)
      const content = await readContent(db, caller.companyId, state.id)
      return sendMistakes(request, reply, await mistakesFile(state, content))
    },
  )

  app.put(
    '/imports/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateImport',
        summary: 'Say what columns mean, and mend or leave out lines',
        description: 'The file itself stays as it is. Have it checked again afterwards.',
        params: Ref,
        body: Type.Object({ import: ImportInput }),
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, importOf, async (tx) => {
        const { caller, params, body } = request
        await importOf.lock(tx, request)
        assertMayImport(caller, body.import.kind)
        return changeImport(tx, caller.companyId, params.id, body.import, now(request.caller.companyId))
      }),
  )

  app.post(
    '/imports/:id/check.json',
    {
      config,
      schema: {
        tags,
        operationId: 'checkImport',
        summary: 'Check a file',
        description:
          'The worker tries everything and keeps nothing. Read the import until its `state` is `checked`: `report` says what would be created and changed, and which lines have mistakes.',
        params: Ref,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'import', async (tx) => {
        await importOf.lock(tx, request)
        return startCheck(tx, authorOf(request), request.params.id, now(request.caller.companyId))
      }),
  )

  app.post(
    '/imports/:id/run.json',
    {
      config,
      schema: {
        tags,
        operationId: 'runImport',
        summary: 'Import a file',
        description:
          'The worker imports all of it in one transaction, or nothing: if a line has a mistake, `state` is `checked` afterwards. Read the import until its `state` is `imported`; `done` says how far it is.',
        params: Ref,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'import', async (tx) => {
        await importOf.lock(tx, request)
        return startRun(tx, authorOf(request), request.params.id, now(request.caller.companyId))
      }),
  )

  app.delete(
    '/imports/:id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteImport',
        summary: 'Delete a file that was sent',
        description: 'What was imported stays.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, importOf, async (tx) => {
        await importOf.lock(tx, request)
        await deleteImport(tx, request.caller.companyId, request.params.id)
      }),
  )

  done()
}
