import { randomUUIDv7 } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../db/database.ts'
import { OUTCOME_UNKNOWN } from '../db/transaction.ts'
import {
  concurrentChange,
  databaseReadOnly,
  databaseUnavailable,
  internalError,
  outcomeUnknown,
  requestTooSlow,
  storageFull,
  valueNotStorable,
} from '../errors/errors.ts'
import { type FieldErrors, Problem } from '../errors/problem.ts'
import { STATUS_TEXTS } from '../errors/status-texts.ts'
import {
  bodyLengthWrong,
  bodyNotJson,
  bodyTooLarge,
  endpointNotFound,
  headersTooLarge,
  mediaTypeUnsupported,
  notHttp,
  requestRefused,
  requestTimedOut,
  urlMalformed,
  urlTooLong,
} from './problems.ts'
import { type IsShared, setOrigin } from './requests/cors.ts'
import type { RefuseMethod } from './requests/methods.ts'
import { problemFromSchema } from './values/schema-problem.ts'

const FROM_FASTIFY: Record<string, Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: mediaTypeUnsupported(),
  FST_ERR_BAD_URL: urlMalformed(),
  FST_ERR_MAX_PARAM_LENGTH: urlTooLong(),
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge(),
  FST_ERR_CTP_INVALID_JSON_BODY: bodyNotJson(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: bodyLengthWrong(),
}

/** Lock timeout, serialisation failure, deadlock, and a unique or referenced row that changed meanwhile. */
const CONFLICTS = new Set(['55P03', '40001', '40P01', '23503', '23505'])

/** The disk is full, or the share of it that the service may use. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

function fromDatabase(error: Error & { code?: string }): Problem | undefined {
  if (error.code === OUTCOME_UNKNOWN) return outcomeUnknown(undefined, error)
  if (isDatabaseAway(error)) return databaseUnavailable(undefined, error)
  // Class 22: a value that PostgreSQL cannot store, such as a NUL character inside a text.
  if (error.code?.startsWith('22')) return valueNotStorable(undefined, error)
  if (CONFLICTS.has(error.code ?? '')) return concurrentChange(undefined, error)
  if (error.code === '57014') return requestTooSlow(undefined, error)
  // Class 53: disk or memory are used up; 25006: a standby that cannot be written to.
  if (error.code?.startsWith('53') || error.code === '25006') return databaseReadOnly(undefined, error)
  return undefined
}

/** The problem that a thrown value stands for; undefined is a defect, whose details the caller does not see. */
export function asProblem(error: FastifyError, request?: FastifyRequest): Problem | undefined {
  if (error instanceof Problem) return error
  if (error.validation !== undefined) return problemFromSchema(error, request)
  const known = FROM_FASTIFY[error.code]
  if (known !== undefined) return known
  if (error.statusCode !== undefined && error.statusCode < 500 && error.code?.startsWith('FST_')) {
    return requestRefused({ status: error.statusCode, message: error.message })
  }
  if (FULL.has(error.code)) return storageFull(undefined, error)
  return fromDatabase(error)
}

/** What is wrong with each field in words alone, which is all that there was at first. */
function textsOf(fields: FieldErrors): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, faults]) => [path, faults.map(({ message }) => message)]),
  )
}

export function problemBody(problem: Problem, requestId: string) {
  return {
    error: problem.message,
    error_code: problem.status,
    code: problem.code,
    reason: problem.reason,
    ...(problem.fields === undefined ? {} : { errors: textsOf(problem.fields), field_errors: problem.fields }),
    request_id: requestId,
  }
}

export const DEFECT = internalError()

/** The current document is JSON already. */
function bodyText(problem: Problem, requestId: string): string {
  const text = JSON.stringify(problemBody(problem, requestId))
  return problem.current === undefined ? text : `${text.slice(0, -1)},"current":${problem.current}}`
}

function send(reply: FastifyReply, problem: Problem, requestId: string): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .send(bodyText(problem, requestId))
}

/**
 * Answers an address that is missing, malformed or has no such method with something else than JSON, such as a page;
 * undefined leaves it to the default.
 */
export type AddressPage = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply | undefined

export function handleErrors(app: FastifyInstance, refuseMethod: RefuseMethod, addressPage: AddressPage): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = logged(error, request)
    const page = request.is404 ? addressPage(request, reply, problem) : undefined
    return page ?? send(reply, problem, request.id)
  })
  app.setNotFoundHandler((request) => {
    // A route for many paths may have handed the request on.
    refuseMethod(request)
    throw endpointNotFound(`${request.method} ${request.url.split('?')[0]}`)
  })
}

/** The problem that a thrown value stands for; it is logged if the operator has to act. */
export function logged(error: FastifyError, request: FastifyRequest, problem = asProblem(error, request)): Problem {
  if (problem === undefined) request.log.error({ err: error }, 'defect')
  else if (problem.cause !== undefined) request.log.warn({ err: problem.cause, code: problem.code }, problem.message)
  return problem ?? DEFECT
}

/** Answers an address that is no address, before any hook has seen the request. */
export function createFrameworkErrors(isShared: IsShared, addressPage: AddressPage) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.raw.setHeader('X-Request-Id', request.id)
    if (isShared(request.url)) setOrigin(reply)
    const problem = asProblem(error) ?? DEFECT
    if (addressPage(request, reply, problem) === undefined) send(reply, problem, request.id)
  }
}

const BROKEN: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: headersTooLarge(),
  ERR_HTTP_REQUEST_TIMEOUT: requestTimedOut(),
}

/** Answers bytes that are no HTTP request: there is nothing but the socket to answer on. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = BROKEN[error.code ?? ''] ?? notHttp()
  const requestId = randomUUIDv7()
  const body = JSON.stringify(problemBody(problem, requestId))
  const head = `HTTP/1.1 ${problem.status} ${STATUS_TEXTS[problem.status]}\r\nX-Request-Id: ${requestId}`
  socket.end(
    `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
