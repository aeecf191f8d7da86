import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Count, Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createFile, removeFile, updateFile } from './commands.ts'
import { fileTooLarge } from './errors.ts'
import { presentFile } from './present.ts'
import { countFiles, getFile, listFiles, lockFile } from './queries.ts'
import { ContentFile, FileChange, FileFilters, FileInput } from './schema.ts'
import { prepareUpload } from './uploads/tus.files.ts'

const reading = { access: { scope: 'files' } } as const
const changing = { access: { scope: 'files', permissions: ['request_products'] } } as const
const tags = ['Content files']
const Ref = Type.Object({ id: PathPart('Id of the content file.') })
const ListQuery = Type.Object({ ...FileFilters.properties, ...Paging.properties })
const CountQuery = Type.Object({ ...FileFilters.properties, since_id: Paging.properties.since_id })
const Single = Type.Object({ file: named(ContentFile) })
const contentFile = single(
  'file',
  async (db, { caller, params }: Asked<{ id: string }>) =>
    asciiJson(presentFile(await getFile(db, caller.companyId, params.id))),
  (tx, { caller, params }) => lockFile(tx, caller.companyId, params.id),
)

/** For apps and for signed-in users. */
export const fileRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, transfers }, done) => {
  app.get(
    '/files.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listFiles',
        summary: 'List content files',
        querystring: ListQuery,
        response: { 200: Type.Object({ files: Type.Array(named(ContentFile)) }) },
      },
    },
    async (request, reply) => {
      const { product_id, role } = request.query
      const list = await listFiles(db, request.caller.companyId, { product_id, role })
      return sendRows(request, reply, 'files', list, (rows) => rows.map(presentFile))
    },
  )

  app.get(
    '/files/count.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'countFiles',
        summary: 'Count content files',
        querystring: CountQuery,
        response: { 200: named(Count) },
      },
    },
    async ({ caller, query }) => ({ count: await countFiles(db, caller.companyId, query) }),
  )

  app.get(
    '/files/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getFile',
        summary: 'Read a content file',
        params: Ref,
        querystring: Fields,
        response: { 200: Single },
      },
    },
    async (request, reply) => sendSingle(request, reply, contentFile, db),
  )

  app.post(
    '/files.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'createFile',
        summary: 'Create a content file',
        description:
          'The bytes are uploaded afterwards to `upload_url`, by the tus protocol, which can resume. Then the service finds out what they are: `status` becomes `ready` or `refused`.',
        body: Type.Object({ file: FileInput }),
        response: { 201: Single },
      },
    },
    async (request, reply) => {
      const { file } = request.body
      if ((file.size ?? 0) > transfers.uploadBytesMax) throw fileTooLarge(transfers.uploadBytesMax)
      return app.write(request, reply.code(201), contentFile, async (tx) => {
        const created = await createFile(tx, authorOf(request), file, now(request.caller.companyId))
        if (created.state.upload_id !== null) await prepareUpload(transfers.uploadFolder, created.state.upload_id)
        return created
      })
    },
  )

  app.put(
    '/files/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'updateFile',
        summary: 'Change a content file',
        description:
          'Changes what is said about the file. Its bytes never change: upload a new file to replace it. Customers who bought the file keep it. A film that could not be packed is tried again.',
        params: Ref,
        body: Type.Object({ file: FileChange }),
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, contentFile, (tx) =>
        updateFile(tx, authorOf(request), request.params.id, request.body.file, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/files/:id.json',
    {
      config: changing,
      schema: {
        tags,
        operationId: 'deleteFile',
        summary: 'Delete a content file',
        description:
          'Customers who bought it before keep it until the product has a newer one of its role and language.',
        params: Ref,
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, contentFile, (tx) =>
        removeFile(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
