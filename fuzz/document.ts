/** The part of an OpenAPI document that requests are made from. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  examples?: unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

export type Parameter = { in: 'path' | 'query' | 'header'; name: string; schema: Schema }
export type Body = { type: string; schema: Schema }
export type Operation = {
  method: string
  path: string
  /** Where signed-in users find it, if they do. */
  usersPath: string | undefined
  parameters: Parameter[]
  body: Body | undefined
}

type Described = {
  'x-users-path'?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export type OpenApi = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** An answer that does not end cannot be held to the document. */
const ENDLESS = '/api/events/stream'

export function operationsOf({ paths }: OpenApi): Operation[] {
  const ending = Object.entries(paths).filter(([path]) => path !== ENDLESS)
  const operations = ending.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, 'x-users-path': usersPath }]) => {
      const [body] = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({ type, schema }))
      return { method: method.toUpperCase(), path, usersPath, parameters, body }
    }),
  )
  if (operations.length === 0) throw new Error('the OpenAPI document has no operation')
  return operations
}

/** Follows references until there is a schema. */
export function resolve({ components }: OpenApi, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const target = components.schemas[schema.$ref.split('/').at(-1) ?? '']
  if (target === undefined) throw new Error(`${schema.$ref} is not in the OpenAPI document`)
  return target
}
