import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { getOrderDocument } from '../queries.ts'
import { addNote, deleteNote } from './commands.ts'
import { presentNote } from './present.ts'
import { listNotes } from './queries.ts'
import { OrderNote, OrderNoteInput } from './schema.ts'

const config = { access: { scope: 'orders' } } as const
const tags = ['Orders']
const Ref = Type.Object({ id: PathPart('Id of the order.') })

export const orderNoteRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/orders/:id/notes.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listOrderNotes',
        summary: 'List the notes of an order',
        description: 'What the people of the company have written down, oldest first. Customers do not see it.',
        params: Ref,
        querystring: Paging,
        response: { 200: Type.Object({ notes: Type.Array(named(OrderNote)) }) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      await getOrderDocument(db, companyId, request.params.id)
      return sendRows(request, reply, 'notes', listNotes(db, companyId, Number(request.params.id)), (rows) =>
        rows.map(presentNote),
      )
    },
  )

  app.post(
    '/orders/:id/notes.json',
    {
      config,
      schema: {
        tags,
        operationId: 'createOrderNote',
        summary: 'Write a note about an order',
        params: Ref,
        body: Type.Object({ note: OrderNoteInput }),
        response: { 201: Type.Object({ note: named(OrderNote) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), 'note', (tx) =>
        addNote(tx, authorOf(request), request.params.id, request.body.note, now(request.caller.companyId)),
      ),
  )

  app.delete(
    '/orders/:id/notes/:note_id.json',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteOrderNote',
        summary: 'Delete a note of an order',
        params: Type.Object({ ...Ref.properties, note_id: PathPart('Id of the note.') }),
        response: { 200: named(Empty) },
      },
    },
    async (request, reply) =>
      app.remove(request, reply, undefined, (tx) =>
        deleteNote(tx, authorOf(request), request.params.id, request.params.note_id, now(request.caller.companyId)),
      ),
  )

  done()
}
