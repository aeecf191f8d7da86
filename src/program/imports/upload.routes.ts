import { createHash } from 'node:crypto'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyValidationResult } from 'fastify/types/schema.js'
import { Type } from 'typebox'
import { authorOf } from '#platform/http/requests/origin.ts'
import { allowSlowBody } from '#platform/http/requests/slow-bodies.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { AJV_OPTIONS } from '#platform/http/values/ajv-options.ts'
import { lazyValidators } from '#platform/http/values/validators.ts'
import { named } from '#platform/wire/schema.ts'
import { assertMayImport } from './access.ts'
import { inspectFile, storeFile } from './commands.ts'
import { CSV_TYPES, CsvBody, IMPORT_BYTES_MAX, Import, UploadQuery } from './schema.ts'

const compile = lazyValidators()({}, { customOptions: AJV_OPTIONS })
const validatorOf = (definition: Parameters<typeof compile>[0]) => compile(definition) as FastifyValidationResult

/** As JSON it is its hash: the fingerprint of a request with an `Idempotency-Key` is made of JSON. */
class FileBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toJSON(): string {
    return createHash('sha256').update(this.bytes).digest('hex')
  }
}

export const importUploadRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { now }, done) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [...CSV_TYPES],
    { parseAs: 'buffer', bodyLimit: IMPORT_BYTES_MAX },
    (_request, body: Buffer, parsed) => parsed(null, new FileBytes(body)),
  )

  app.post(
    '/imports.json',
    {
      config: { access: { scope: 'products', permissions: ['request_products'] } },
      // The schema of the body is for the document: what is wrong with the bytes is found by reading them.
      validatorCompiler: (definition) => (definition.httpPart === 'body' ? () => true : validatorOf(definition)),
      onRequest: async (request) => allowSlowBody(request.raw),
      schema: {
        tags: ['Imports'],
        operationId: 'uploadImport',
        summary: 'Send a file to import',
        description:
          'The body is a CSV file of at most 20 MiB, whose first line names the columns. Nothing is imported yet: look at its columns, have it checked, and start it.',
        querystring: UploadQuery,
        body: CsvBody,
        response: { 201: Type.Object({ import: named(Import) }) },
      },
    },
    async (request, reply) => {
      const { file_name: fileName = 'import.csv', kind } = request.query
      const content = request.body instanceof FileBytes ? request.body.bytes : Buffer.alloc(0)
      const file = { content, fileName, kind }
      const inspected = await inspectFile(file)
      assertMayImport(request.caller, inspected.kind)
      return app.write(request, reply.code(201), 'import', (tx) =>
        storeFile(tx, authorOf(request), file, inspected, now(request.caller.companyId)),
      )
    },
  )

  done()
}
