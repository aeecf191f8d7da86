import { describeCutAnswers } from './cut-answers.ts'

/** The headers and failures of every response. They are described once, and each operation refers to them. */

/** Examples that come from the resources. */
export type ApiExamples = {
  /** The address of the next page of a list. */
  nextPage: string
  missingScope: { error: string; reason: string }
  notFound: { error: string; reason: string }
  validationFailed: { error: string; reason: string; errors: Record<string, string[]> }
}

type Described = { description: string; schema: object; example?: unknown }

const HEADERS: Record<string, Described> = {
  'X-Request-Id': {
    description: 'Names this request in the log. A short, plain id that the caller sends is kept.',
    schema: { type: 'string' },
    example: '0198f2a4-6b1e-7c3a-9d52-3f1f0c9b7a10',
  },
  'RateLimit-Limit': {
    description: 'How many requests may be sent at once.',
    schema: { type: 'integer' },
    example: 400,
  },
  'RateLimit-Remaining': {
    description: 'How many of them may still be sent now.',
    schema: { type: 'integer' },
    example: 399,
  },
  'RateLimit-Reset': {
    description: 'Seconds until all of them may be sent again.',
    schema: { type: 'integer' },
    example: 1,
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' }, example: 1 },
  'WWW-Authenticate': {
    description: 'What is wrong with the access token (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer realm="licet", error="invalid_token", error_description="expired"',
  },
  ETag: {
    description: 'Stands for this state of the thing: send it as `If-None-Match` to learn whether it changed.',
    schema: { type: 'string' },
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  Link: {
    description:
      'The address of the next page, as `<…>; rel="next"`. Absent on the last one. Pages of a sorted list also have `rel="prev"`.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` when an earlier request with the same `Idempotency-Key` had done this already.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const ALWAYS = ['X-Request-Id']
const ADMITTED = [...ALWAYS, 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

type Failure = { name: string; when: string; code: string; headers: string[] } & (
  | { error: string; reason: string }
  | { shows: Exclude<keyof ApiExamples, 'nextPage'> }
)

const FAILURES: Record<number, Failure> = {
  400: {
    name: 'Malformed',
    when: 'Not JSON, nested too deeply, or the wrapper is missing.',
    code: 'malformed',
    reason: 'body_not_json',
    error: 'The body is not valid JSON.',
    headers: ADMITTED,
  },
  401: {
    name: 'Unauthorized',
    when: 'The access token is missing, invalid or expired: `error` is `access_token required`, `invalid access_token` or `expired`.',
    code: 'unauthorized',
    reason: 'access_token_invalid',
    error: 'invalid access_token',
    headers: [...ALWAYS, 'WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    when: 'The access token lacks the scope (`insufficient_scope`), the user who let the app in lacks a permission, or the thing cannot be changed (`forbidden`).',
    code: 'insufficient_scope',
    shows: 'missingScope',
    headers: [...ADMITTED, 'WWW-Authenticate'],
  },
  404: {
    name: 'NotFound',
    when: 'Unknown, deleted, or of another company.',
    code: 'not_found',
    shows: 'notFound',
    headers: ADMITTED,
  },
  409: {
    name: 'Conflict',
    when: 'The state forbids the change, somebody else is changing the same thing, or a request with the same `Idempotency-Key` is still running.',
    code: 'conflict',
    reason: 'idempotency_key_in_use',
    error: 'A request with the same Idempotency-Key is still running.',
    headers: ADMITTED,
  },
  412: {
    name: 'PreconditionFailed',
    when: 'The `ETag` in `If-Match` is that of an older document: `current` has the document as it is now.',
    code: 'precondition_failed',
    reason: 'document_changed',
    error: 'This has been changed by somebody else meanwhile.',
    headers: ADMITTED,
  },
  413: {
    name: 'TooLarge',
    when: 'The body is too large.',
    code: 'too_large',
    reason: 'body_too_large',
    error: 'The body is too large.',
    headers: ADMITTED,
  },
  414: {
    name: 'AddressTooLong',
    when: 'The address is too long.',
    code: 'malformed',
    reason: 'url_too_long',
    error: 'The address is too long.',
    headers: ALWAYS,
  },
  415: {
    name: 'UnsupportedMediaType',
    when: 'The body is not JSON.',
    code: 'unsupported_media_type',
    reason: 'media_type_unsupported',
    error: 'The body must be sent as application/json.',
    headers: ADMITTED,
  },
  422: {
    name: 'ValidationFailed',
    when: 'Understood, and not acceptable: `errors` names the fields.',
    code: 'validation_failed',
    shows: 'validationFailed',
    headers: ADMITTED,
  },
  429: {
    name: 'RateLimited',
    when: 'Too many requests.',
    code: 'rate_limited',
    reason: 'too_many_requests',
    error: 'Too many requests: try again in 1 second.',
    headers: [...ADMITTED, 'Retry-After'],
  },
  500: {
    name: 'Defect',
    when: 'A defect of the service.',
    code: 'internal',
    reason: 'internal_error',
    error: 'Something went wrong on our side. The request id helps to find out what.',
    headers: ADMITTED,
  },
  503: {
    name: 'Unavailable',
    when: 'Starting, stopping, or the database is away.',
    code: 'unavailable',
    reason: 'database_unavailable',
    error: 'The service is not available right now: try again in a moment.',
    headers: [...ALWAYS, 'Retry-After'],
  },
  504: {
    name: 'OutcomeUnknown',
    when: 'The database went away while the change was being stored: nobody knows whether it was.',
    code: 'unavailable',
    reason: 'outcome_unknown',
    error: 'The database went away at the last moment: the change may have been stored or not.',
    headers: ALWAYS,
  },
}

/** The failures of endpoints for signed-in users, where they differ. */
const FAILURES_FOR_USERS: Record<number, Failure> = {
  401: {
    name: 'NotSignedIn',
    when: 'There is no session cookie, or its session has ended.',
    code: 'unauthorized',
    reason: 'session_required',
    error: 'Sign in first.',
    headers: [...ALWAYS, 'WWW-Authenticate'],
  },
  403: {
    name: 'NotPermitted',
    when: 'The user lacks a permission, the change does not come from a page of the service, or the thing cannot be changed.',
    code: 'forbidden',
    reason: 'permission_missing',
    error: 'This needs the permission web_access, which the user does not have.',
    headers: ALWAYS,
  },
}

type Schema = { type?: string | string[]; maximum?: number; enum?: unknown[] }

type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  example?: unknown
  examples?: Record<string, object>
  schema?: (Schema & { examples?: unknown[] }) | undefined
}
type Operation = {
  security?: object[]
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema }> }
  parameters?: Parameter[]
  responses?: Record<string, object>
}
type Document = { paths?: Record<string, Record<string, Operation>>; components?: { schemas?: object } }

function hasPath({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) => parameter.in === 'path')
}

/** May a change say which version it is about? */
function takesCondition({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === 'If-Match')
}

function failuresOf(method: string, operation: Operation, isForUsers: boolean): number[] {
  const { requestBody, parameters = [] } = operation
  // A POST may always carry a body and an Idempotency-Key, even where it needs neither.
  const takesBody = requestBody !== undefined || method === 'post'
  // A body that nobody needs is read all the same.
  // What is read may be about another company than the page shows.
  const withBody = method === 'get' ? (isForUsers ? [409] : []) : [400, 409, 413, 415, 504]
  const withPath = hasPath(operation) ? [404, 414] : []
  const withInput = takesBody || parameters.some((parameter) => parameter.in === 'query') ? [422] : []
  const withCondition = takesCondition(operation) ? [412] : []
  return [401, 403, 429, 500, 503, ...withBody, ...withCondition, ...withPath, ...withInput].sort()
}

function successHeaders(method: string, operation: Operation): string[] {
  const { parameters = [] } = operation
  if (method === 'put' && takesCondition(operation)) return [...ADMITTED, 'ETag']
  if (method === 'post') return [...ADMITTED, 'Idempotent-Replayed']
  if (method !== 'get') return ADMITTED
  if (parameters.some(({ name }) => name === 'limit')) return [...ADMITTED, 'Link']
  // Of a single document, not of a count below a path: describe() in openapi.ts knows which is which.
  return parameters.some(({ name }) => name === 'If-None-Match') ? [...ADMITTED, 'ETag'] : ADMITTED
}

const SEE_OTHER = 303

/** An answer that leads elsewhere has no document, and so no version of one. */
function headersOf(status: number, method: string, operation: Operation): string[] {
  if (status === SEE_OTHER) return ADMITTED
  return status < 400 ? successHeaders(method, operation) : failureHeaders(status)
}

/** Of a failure that one operation alone has. A method that a path lacks is refused before anybody is admitted. */
const failureHeaders = (status: number) => FAILURES[status]?.headers ?? ALWAYS

function referTo(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Names that differ in case only would be the same name twice in a generated client: the first one stands for all. */
function withoutTwins(parameters: Parameter[]): Parameter[] {
  const isTwin = (one: Parameter, other: Parameter) =>
    one.in === other.in && one.name.toLowerCase() === other.name.toLowerCase()
  return parameters.flatMap((parameter, index) => {
    if (parameters.slice(0, index).some((earlier) => isTwin(earlier, parameter))) return []
    const twins = parameters.slice(index + 1).filter((later) => isTwin(parameter, later))
    const also = twins.map(({ name }) => ` Also understood as \`${name}\`.`).join('')
    return [withoutExample({ ...parameter, description: `${parameter.description ?? ''}${also}` })]
  })
}

/**
 * The reference page would send an optional parameter that has an example, so the example goes into its description.
 */
function withoutExample({ example, schema, ...parameter }: Parameter): Parameter {
  const { examples, ...rest } = schema ?? {}
  const shown = example ?? examples?.[0]
  if (parameter.in !== 'query' || parameter.required === true)
    return { ...parameter, ...(example === undefined ? {} : { example }), schema }
  const unsent = unsentChoice(rest)
  if (shown === undefined) return { ...parameter, ...unsent, schema }
  const description = `${parameter.description ?? ''} For example \`${shown}\`.`.trim()
  return { ...parameter, ...unsent, schema: rest, description }
}

/** The page would also send the first of several choices, unless it is an example that is marked as disabled. */
function unsentChoice({ enum: choices }: Schema): Pick<Parameter, 'examples'> {
  if (choices === undefined || choices.length === 0) return {}
  return { examples: { default: { value: choices[0], 'x-disabled': true } } }
}

const INT32_MAX = 2_147_483_647

/** Adds what client generators need: ids have more than 32 bits, and an enum of texts is a string. */
function sharpen(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { type, maximum = Number.POSITIVE_INFINITY, enum: choice }: Schema = schema
  if ([type].flat().includes('integer') && maximum > INT32_MAX) Object.assign(schema, { format: 'int64' })
  if (type === undefined && Array.isArray(choice) && choice.every((value) => typeof value === 'string'))
    Object.assign(schema, { type: 'string' })
  for (const part of Object.values(schema)) sharpen(part)
}

/** A body that may be null may be left out. */
function markOptional({ requestBody }: Operation): void {
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    if (requestBody === undefined || !Array.isArray(schema?.type) || !schema.type.includes('null')) continue
    requestBody.required = false
    schema.type = 'object'
  }
}

function refersTo(status: number, isForUsers = false): { $ref: string } {
  const failure = (isForUsers ? FAILURES_FOR_USERS[status] : undefined) ?? FAILURES[status]
  return { $ref: `#/components/responses/${failure?.name}` }
}

/** Adds to a document what applies to every operation: headers, failures, and what client generators need. */
export function completeDocument(document: Document): Document {
  for (const path of Object.values(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(path)) {
      if (operation.parameters !== undefined) operation.parameters = withoutTwins(operation.parameters)
      markOptional(operation)
      const isPublic = operation.security?.length === 0
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const names = headersOf(Number(status), method, operation)
        Object.assign(response, { headers: referTo(isPublic ? ALWAYS : names) })
      }
      if (isPublic) {
        // The router refuses a long part of an address, whoever asks.
        if (hasPath(operation)) operation.responses = { ...operation.responses, 414: refersTo(414) }
        continue
      }
      const isForUsers = operation.security?.some((scheme) => 'session' in scheme) ?? false
      const failures = failuresOf(method, operation, isForUsers).map((status) => [status, refersTo(status, isForUsers)])
      operation.responses = { ...operation.responses, ...Object.fromEntries(failures) }
    }
  }
  sharpen(document.paths)
  sharpen(document.components?.schemas)
  describeCutAnswers(document as never)
  return document
}

/** The body of a failure as an example. */
function exampleOf(status: number, failure: Failure, examples: ApiExamples) {
  const { error, reason, ...rest } = 'shows' in failure ? examples[failure.shows] : failure
  const errors = 'errors' in rest ? { errors: rest.errors } : {}
  return {
    error,
    error_code: status,
    code: failure.code,
    reason,
    ...errors,
    request_id: HEADERS['X-Request-Id']?.example,
  }
}

export function componentsWith(examples: ApiExamples) {
  return {
    headers: { ...HEADERS, Link: { ...HEADERS.Link, example: `<${examples.nextPage}>; rel="next"` } },
    responses: Object.fromEntries(
      [...Object.entries(FAILURES), ...Object.entries(FAILURES_FOR_USERS)].map(([status, failure]) => [
        failure.name,
        {
          description: failure.when,
          headers: referTo(failure.headers),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              example: exampleOf(Number(status), failure, examples),
            },
          },
        },
      ]),
    ),
  }
}
