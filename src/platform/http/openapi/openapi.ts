import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { scopesOf } from '../requests/access.ts'
import { type ApiExamples, completeDocument, componentsWith } from './openapi-answers.ts'
import { addReferencePage } from './reference-page.ts'

export type ApiDescription = {
  title: string
  version: string
  description: string
  tags: { name: string; description: string }[]
  /** What each scope allows, in words. */
  scopes: Record<string, string>
  /** How an app gets its tokens. */
  oauth2: { description: string; authorizationUrl: string; tokenUrl: string }
  /** How a signed-in user is known. */
  session: { cookie: string; description: string }
  /** Below which paths apps and signed-in users find the routes that both may call. */
  prefixes: { apps: string; users: string }
  /** Describes the sentence that an error carries. */
  errorSentence: string
  examples: ApiExamples
}

function reasonsOf({ errors, reason }: ApiExamples['validationFailed']) {
  const entries = Object.entries(errors)
  return Object.fromEntries(entries.map(([path, texts]) => [path, texts.map((message) => ({ reason, message }))]))
}

/** One shape for every failure. */
const errorBody = ({ errorSentence, examples: { validationFailed } }: ApiDescription) =>
  Type.Object(
    {
      error: Type.String({
        description: errorSentence,
        examples: [validationFailed.error],
      }),
      error_code: Type.Integer({ description: 'The HTTP status.', examples: [422] }),
      code: Type.String({ description: 'A word that stays the same for ever.', examples: ['validation_failed'] }),
      reason: Type.String({
        pattern: '^[a-z][a-z0-9_]*$',
        description:
          'A word that identifies the problem and stays the same for ever. With several fields at fault, it is the reason of the first one. New reasons can be added.',
        examples: [validationFailed.reason],
      }),
      errors: Type.Optional(
        Type.Record(Type.String(), Type.Array(Type.String()), {
          description: 'What is wrong with which field.',
          examples: [validationFailed.errors],
        }),
      ),
      field_errors: Type.Optional(
        Type.Record(Type.String(), Type.Array(Type.Object({ reason: Type.String(), message: Type.String() })), {
          description: 'The same, each with a reason that stays the same for ever.',
          examples: [reasonsOf(validationFailed)],
        }),
      ),
      current: Type.Optional(
        Type.Unsafe<object>({ type: 'object', description: 'With 412: the document as it is now, in its wrapper.' }),
      ),
      request_id: Type.String({ description: 'Names this request in the log.' }),
    },
    { $id: 'Error' },
  )

const IdempotencyKey = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'The same key within 24 hours gives the same answer and makes no second thing.',
    }),
  ),
})

const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The `ETag` of an earlier answer: 304 if nothing changed since.' }),
  ),
})

const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'The `ETag` of the document that was read: 412 if it has been changed since, and nothing is done.',
    }),
  ),
})

/** A list below another resource has that resource's id in its path, and is paged too. */
function isList({ querystring }: FastifySchema): boolean {
  const { properties = {} }: { properties?: object } = querystring ?? {}
  return 'limit' in properties
}

/** One thing, by its id or the only one of its kind, that can be cut to the wanted fields. */
function isDocument(schema: FastifySchema): boolean {
  const { properties = {} }: { properties?: object } = schema.querystring ?? {}
  return (schema.params !== undefined || 'fields' in properties) && !isList(schema) && !isCount(schema)
}

function isCount({ response }: FastifySchema): boolean {
  const { 200: answer }: { 200?: { $ref?: string } } = response ?? {}
  return answer?.$ref === 'Count#'
}

/** The answer to the headers alone is described with GET, because the document has no HEAD. */
const NO_HEAD = { description: 'HEAD is refused, because it would do what GET does.', type: 'null' }

const Conditional = Type.Object({ ...IdempotencyKey.properties, ...IfMatch.properties })

/** The headers that a request may have beside its token. `isReadable`: the path can be read too. */
function headersOf(method: string, single: boolean, isReadable: boolean, takesCondition: boolean): FastifySchema {
  if (method === 'POST') return { headers: takesCondition ? Conditional : IdempotencyKey }
  if (single) return { headers: IfNoneMatch }
  return isReadable && (method === 'PUT' || method === 'DELETE') ? { headers: IfMatch } : {}
}

/** Adds to a route's description what its scope and method imply. */
function describe(
  schema: FastifySchema & { hide?: boolean },
  route: RouteOptions,
  served: ReadonlySet<string>,
  usersPath: string | undefined,
  isReadable: boolean,
): FastifySchema {
  if (schema.hide === true) return schema
  const method = [route.method].flat()[0] ?? 'GET'
  const { access, takesCondition = false } = route.config ?? {}
  const scopes = scopesOf(access ?? {}).filter((scope) => served.has(scope))
  // A GET without a HEAD is no plain read: its answer is another one each time.
  const isRead = method === 'GET' && route.exposeHeadRoute !== false
  const single = isRead && isDocument(schema)
  const responses: Record<string, object> = Object.fromEntries(
    Object.entries((schema.response ?? {}) as Record<string, object>).map(([status, body]) => [
      status,
      { description: status === '201' ? 'Created.' : Number(status) < 400 ? 'Done.' : 'Refused.', ...body },
    ]),
  )
  if (method === 'GET' && !isRead) responses[405] = NO_HEAD
  const forUsers = access !== undefined && access.scope === undefined
  const told = access === undefined ? {} : { 'x-permissions': access.permissions, 'x-users-path': usersPath }
  // A public route follows a standard of its own, not the rules of the interface.
  if (scopes.length === 0 && !forUsers) return { ...schema, response: responses, security: [] }
  return {
    ...schema,
    ...told,
    ...headersOf(method, single, isReadable, takesCondition),
    response: { ...responses, ...(single ? { 304: { description: 'Nothing changed.', type: 'null' } } : {}) },
    security: forUsers
      ? [{ session: [] }]
      : scopes.flatMap((scope): Record<string, string[]>[] => [
          { oauth2: [scope] },
          { bearer: [scope] },
          { accessToken: [scope] },
        ]),
  }
}

function constraintsOf({ constraints }: RouteOptions): { constraints?: Record<string, unknown> } {
  return constraints === undefined ? {} : { constraints }
}

/** How a client proves who it is. Only scopes that open something are described. */
function securitySchemesOf({ oauth2, scopes, session }: ApiDescription, served: ReadonlySet<string>) {
  const offered = Object.entries(scopes).filter(([name]) => served.has(name))
  const inWords = offered.map(([name, words]) => `- \`${name}\`: ${words}.`).join('\n')
  return {
    oauth2: {
      type: 'oauth2' as const,
      description: oauth2.description,
      flows: {
        authorizationCode: {
          authorizationUrl: oauth2.authorizationUrl,
          tokenUrl: oauth2.tokenUrl,
          refreshUrl: oauth2.tokenUrl,
          scopes: Object.fromEntries(offered),
        },
      },
    },
    bearer: {
      type: 'http' as const,
      scheme: 'bearer',
      description: `An access token in the \`Authorization\` header.\n\n${inWords}`,
    },
    accessToken: {
      type: 'apiKey' as const,
      in: 'query' as const,
      name: 'access_token',
      description: 'An access token in the query, for clients that can set no header.',
    },
    session: {
      type: 'apiKey' as const,
      in: 'cookie' as const,
      name: session.cookie,
      description: session.description,
    },
  }
}

/** Generates the OpenAPI document from the routes, and serves it with a page on which requests can be sent. */
export async function addOpenApi(app: FastifyInstance, api: ApiDescription): Promise<void> {
  app.addSchema(errorBody(api))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        version: api.version,
        description: api.description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: api.tags,
      // The names of the schemes are needed now; which scopes are served is known when all routes are.
      components: { ...componentsWith(api.examples), securitySchemes: securitySchemesOf(api, new Set()) },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema-${index}`,
    },
    transformObject: (document) => {
      const made = 'openapiObject' in document ? document.openapiObject : {}
      const securitySchemes = securitySchemesOf(api, app.servedScopes())
      return completeDocument({ ...made, components: { ...made.components, securitySchemes } } as never) as never
    },
    transform: ({ schema, url, route }) => {
      const { apps, users } = api.prefixes
      const usersUrl = url.startsWith(`${apps}/`) ? `${users}${url.slice(apps.length)}` : url
      const [method = 'GET'] = [route.method].flat()
      const isServed = app.hasRoute({ method, url: usersUrl, constraints: { site: 'own' } })
      const usersPath = isServed ? usersUrl.replace(/:(\w+)/g, '{$1}') : undefined
      const isReadable = app.hasRoute({ method: 'GET', url, ...constraintsOf(route) })
      return { schema: describe(schema ?? {}, route, app.servedScopes(), usersPath, isReadable), url }
    },
  })
  const config = { public: true } as const
  app.get('/openapi.json', { config, schema: { hide: true } }, async () => app.swagger())
  addReferencePage(app, Object.keys(api.scopes))
}
