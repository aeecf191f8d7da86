import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { assertMayImport } from '../access.ts'
import { getImport, lockImport } from '../queries.ts'
import { mayUndo } from '../rules.ts'
import { Import, ImportUndo } from '../schema.ts'
import { startUndo } from './commands.ts'
import { NOTHING_TO_UNDO, previewUndo } from './plan.ts'

const config = { access: { scope: 'products', permissions: ['request_products'] } } as const
const tags = ['Imports']
const Ref = Type.Object({ id: PathPart('Id of the import.') })

export const importUndoRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/imports/:id/undo_preview.json',
    {
      config,
      schema: {
        tags,
        operationId: 'previewImportUndo',
        summary: 'Read what undoing an import would do',
        description:
          'What would be removed, what would get its former values back, and what has to stay, as it is now. Nothing, if the import can no longer be undone.',
        params: Ref,
        querystring: Fields,
        response: { 200: Type.Object({ undo: named(ImportUndo) }) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const state = await getImport(db, caller.companyId, params.id)
      assertMayImport(caller, state.kind)
      const undo = mayUndo(state, now(request.caller.companyId))
        ? await previewUndo(db, caller.companyId, state.id)
        : NOTHING_TO_UNDO
      return sendDocument(request, reply, 'undo', asciiJson(undo))
    },
  )

  app.post(
    '/imports/:id/undo.json',
    {
      config,
      schema: {
        tags,
        operationId: 'undoImport',
        summary: 'Undo an import',
        description:
          'Until a day after the import. The worker removes what the import created, and gives back their former values to what it changed. What was sold or changed since stays. Read the import until its `state` is `undone`; `undo` says what stayed, and why. Asked again, it is undone once.',
        params: Ref,
        response: { 200: Type.Object({ import: named(Import) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'import', async (tx) => {
        const { caller, params } = request
        const { kind } = await lockImport(tx, caller.companyId, params.id)
        assertMayImport(caller, kind)
        return startUndo(tx, authorOf(request), params.id, now(request.caller.companyId))
      }),
  )

  done()
}
