import { randomUUIDv7 } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../db/database.ts'
import { conflict, type FieldErrors, malformed, notFound, Problem, unavailable, validationFailed } from '../problem.ts'

type SchemaError = NonNullable<FastifyError['validation']>[number]

/** `/product/locales/0/title` in the body is `locales[0].title` to the caller, who knows the wrapper. */
function attributePath(error: SchemaError, context: string | undefined): string {
  const missing = error.keyword === 'required' ? [String(error.params.missingProperty)] : []
  const segments = [...error.instancePath.split('/').slice(1), ...missing]
  const inside = context === 'body' ? segments.slice(1) : segments
  return inside.map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`)).join('')
}

const TYPE_NAMES: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'text',
  array: 'a list',
  object: 'an object',
}

const FORMATS: Record<string, string> = {
  'wire-time': 'must be a time such as 2024-06-10T09:30:00',
  'http-url': 'must be an http or https address',
}

function inWords({ keyword, params }: SchemaError): string {
  const names = [params.type ?? []].flat().filter((name) => name !== 'null')
  if (keyword === 'required') return 'is required'
  if (keyword === 'type') return `must be ${names.map((name) => TYPE_NAMES[String(name)] ?? name).join(' or ')}`
  if (keyword === 'format') return FORMATS[String(params.format)] ?? `must be a valid ${params.format}`
  if (keyword === 'maxLength') return `is too long (the maximum is ${params.limit} characters)`
  if (keyword === 'minLength')
    return Number(params.limit) === 1 ? "can't be blank" : `is too short (the minimum is ${params.limit} characters)`
  if (keyword === 'maxItems') return `has too many entries (the maximum is ${params.limit})`
  if (keyword === 'minimum') return `must be at least ${params.limit}`
  if (keyword === 'maximum') return `must be at most ${params.limit}`
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  return 'is not in the right form'
}

/** Fastify's word on a request that does not fit its schema: 400 if the body is no such thing at all, else 422. */
function fromSchema(error: FastifyError): Problem {
  const fields: FieldErrors = {}
  for (const entry of error.validation ?? []) {
    const path = attributePath(entry, error.validationContext)
    if (path === '') return malformed(wrapperMessage(entry))
    fields[path] = [...(fields[path] ?? []), inWords(entry)]
  }
  return validationFailed(fields)
}

function wrapperMessage(error: SchemaError): string {
  const name = error.keyword === 'required' ? String(error.params.missingProperty) : error.instancePath.split('/')[1]
  return name === undefined ? 'The body must be a JSON object.' : `The body must have the form {"${name}": {…}}.`
}

const FROM_FASTIFY: Record<string, Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem(
    'unsupported_media_type',
    415,
    'The body must be sent as application/json.',
  ),
  FST_ERR_BAD_URL: malformed('The address is not a valid one.'),
  FST_ERR_MAX_PARAM_LENGTH: new Problem('malformed', 414, 'The address is too long.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem('too_large', 413, 'The body is too large.'),
  FST_ERR_CTP_INVALID_JSON_BODY: malformed('The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed('The body does not have the length that Content-Length says.'),
}

/** Lock not had in time, serialisation failure, deadlock, and what is unique or referred to changing meanwhile. */
const CONFLICTS = new Set(['55P03', '40001', '40P01', '23503', '23505'])

function fromDatabase(error: Error & { code?: string }): Problem | undefined {
  if (isDatabaseAway(error)) return unavailable('The service is not available right now: try again in a moment.', error)
  // Class 22: a value that PostgreSQL can't hold, such as a NUL character inside a text.
  if (error.code?.startsWith('22'))
    return new Problem('validation_failed', 422, 'A value in the request can not be stored.', { cause: error })
  if (CONFLICTS.has(error.code ?? '')) return conflict('Somebody else is changing the same thing: try again.', error)
  if (error.code === '57014') return unavailable('The request took too long.', error)
  // Class 53: disk or memory are used up; 25006: a standby that can't be written to.
  if (error.code?.startsWith('53') || error.code === '25006')
    return unavailable('Nothing can be changed right now.', error)
  return undefined
}

/** What a thrown thing means to the caller; undefined is a defect, of which nothing is told. */
export function asProblem(error: FastifyError): Problem | undefined {
  if (error instanceof Problem) return error
  if (error.validation !== undefined) return fromSchema(error)
  const known = FROM_FASTIFY[error.code]
  if (known !== undefined) return known
  if (error.statusCode !== undefined && error.statusCode < 500 && error.code?.startsWith('FST_')) {
    return new Problem('malformed', error.statusCode, error.message)
  }
  return fromDatabase(error)
}

export function problemBody(problem: Problem, requestId: string) {
  return {
    error: problem.message,
    error_code: problem.status,
    code: problem.code,
    ...(problem.fields === undefined ? {} : { errors: problem.fields }),
    request_id: requestId,
  }
}

export const DEFECT = new Problem(
  'internal',
  500,
  'Something went wrong on our side. The request id helps to find out what.',
)

function send(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problemBody(problem, requestId)))
}

/** Answers a missing address with something else than JSON, such as a page; undefined leaves it to the default. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

export function handleErrors(app: FastifyInstance, notFoundPage: NotFoundPage = () => undefined): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => send(reply, logged(error, request), request.id))
  app.setNotFoundHandler((request, reply) => {
    const page = notFoundPage(request, reply)
    if (page !== undefined) return page
    throw notFound(`There is nothing at ${request.method} ${request.url.split('?')[0]}.`)
  })
}

/** What a thrown thing means to the caller, told to the log as far as it is the operator's business. */
export function logged(error: FastifyError, request: FastifyRequest, problem = asProblem(error)): Problem {
  if (problem === undefined) request.log.error({ err: error }, 'defect')
  else if (problem.cause !== undefined) request.log.warn({ err: problem.cause, code: problem.code }, problem.message)
  return problem ?? DEFECT
}

/** Answers an address that is no address, before any hook has seen the request. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.setHeader('X-Request-Id', request.id)
  send(reply, asProblem(error) ?? DEFECT, request.id)
}

const BROKEN: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem('too_large', 431, 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('malformed', 408, 'The request took too long to arrive.'),
}

/** Answers bytes that are no HTTP request: there is nothing but the socket to answer on. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = BROKEN[error.code ?? ''] ?? malformed('This is not an HTTP request.')
  const requestId = randomUUIDv7()
  const body = JSON.stringify(problemBody(problem, requestId))
  const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nX-Request-Id: ${requestId}`
  socket.end(
    `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
