import { type Static, type TSchema, Type } from 'typebox'
import { AJV_OPTIONS } from '#platform/http/values/ajv-options.ts'
import { problemFromSchema } from '#platform/http/values/schema-problem.ts'

import { lazyValidators } from '#platform/http/values/validators.ts'

const compile = lazyValidators()({}, { customOptions: AJV_OPTIONS })

/**
 * Makes a function that reads an entry as a request with the same body would be read: numbers and flags may be texts,
 * null counts as absent where it means nothing, and what only answers have is dropped. It throws the same problems.
 */
export function createCheck<Schema extends TSchema>(schema: Schema): (entry: unknown) => Static<Schema> {
  const validate = compile({ schema: Type.Object({ entry: schema }), httpPart: 'body' })
  return (entry) => {
    const body = { entry: structuredClone(entry) }
    if (validate(body) !== false) return body.entry as Static<Schema>
    const problem = problemFromSchema({ validation: validate.errors ?? [], validationContext: 'body' })
    throw problem ?? new Error('an entry was refused for no reason')
  }
}
