import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { withoutCuts } from '#platform/http/openapi/cut-answers.ts'
import { PATH_PART_MAX } from '#platform/wire/schema.ts'
import { type RequestFields, unknownFields } from './error-fields.ts'

/** A response of the service together with its request. */
export type Exchange = { method: string; path: string; status: number; headers: Headers; text: string }

type Schema = { [keyword: string]: unknown; required?: string[]; properties?: Record<string, Schema> }
type Reference = { $ref: string }
type Response = {
  headers?: Record<string, Reference>
  content?: Record<string, { schema: Schema }>
}
type Operation = RequestFields & { responses: Record<string, Response | Reference>; 'x-users-path'?: string }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    headers: Record<string, { schema: Schema }>
  }
}

/** Throws if a response is not what the OpenAPI document says. */
export type Contract = (exchange: Exchange) => void

/**
 * Every path below this one belongs to the interface, so the document has to list it. Pages and health checks are
 * elsewhere.
 */
const INTERFACE = /^\/(api\/|admin\/api\/|token$|oauth2\/revoke$)/

/** The errors of these requests name nothing but fields of the request. */
const NAMES_FULL_PATHS = /^\/api\/orders\b/

/** The document names these, and a response may omit them. */
const OPTIONAL_HEADERS = new Set(['Link', 'Idempotent-Replayed'])

let shared: Contract | undefined

/** Compiling takes longer than reading an answer, and every service of a process has the same document. */
export function contractOf(readDocument: () => unknown): Contract {
  shared ??= createContract(readDocument() as Document)
  return shared
}

/** The options of `fetch`; a body that is undefined is none. */
export type FetchOptions = Omit<RequestInit, 'body'> & { body?: RequestInit['body'] | undefined }

/** Sends a request as `fetch` does, and checks the response against the OpenAPI document of the same service. */
export async function fetchHeld(input: string, init: FetchOptions = {}): Promise<globalThis.Response> {
  const { origin, pathname, search } = new URL(input)
  const document = shared === undefined ? await (await fetch(`${origin}/openapi.json`)).json() : undefined
  const hold = contractOf(() => document)
  const response = await fetch(input, { ...init, body: init.body ?? null })
  const { status, headers } = response
  const { method = 'GET' } = init
  hold({ method, path: `${pathname}${search}`, status, headers, text: await response.clone().text() })
  return response
}

function createContract(document: Document): Contract {
  const operationOf = operationFinder(document)
  const whole = validatorsOf(document, withoutCuts)
  const cut = validatorsOf(document, (schema) => schema)

  /**
   * What signed-in users find below `/admin/api` is described below `/api`, if it is for them at all. A path with a part
   * that is longer than any id is not found before anybody asks for a session.
   */
  const operationOfUsers: FindOperation = (method, pathname) => {
    if (!pathname.startsWith('/admin/api/') || pathname.split('/').some((part) => decoded(part).length > PATH_PART_MAX))
      return undefined
    const described = operationOf(method, pathname.replace('/admin/api/', '/api/'))
    return described?.['x-users-path'] === undefined ? undefined : described
  }

  return (exchange) => {
    const { method, path, status, headers, text } = exchange
    // The service has two names for the same paths, and the document one.
    const [pathname = '', query = ''] = path.replace(/^\/api2\//, '/api/').split('?', 2)
    const refuse = (reason: string) =>
      assert.fail(
        `${method} ${path.slice(0, 200)} answered ${status}, against the OpenAPI document: ${reason}\n${text.slice(0, 2000)}`,
      )
    const operation = operationOf(method, pathname) ?? operationOfUsers(method, pathname)
    if (operation === undefined) {
      // A body is read before it turns out that nothing takes it.
      const expected = isReadable(pathname)
        ? [204, 404, 405, 414, 429, ...(method === 'GET' ? [] : [400, 413, 415])]
        : [400]
      if (INTERFACE.test(pathname) && !expected.includes(status)) refuse('it does not know the path')
      return
    }
    const response = operation.responses[status]
    // Endpoints that users share with apps are described for apps, which work for one company.
    if (response === undefined && pathname.startsWith('/admin/api/') && text.includes('"company_switched"')) return
    if (response === undefined) return refuse('it does not know the status')
    const { headers: named = {}, content } =
      '$ref' in response ? resolve(document, response as Reference) : (response as Response)
    for (const [name, reference] of Object.entries(named)) {
      const value = headers.get(name)
      if (value !== null ? fitsHeader(document, reference, value) : mayLack(name, exchange)) continue
      refuse(`the header ${name} is ${value ?? 'missing'}`)
    }
    if (method === 'HEAD') return
    if (content === undefined) return text === '' ? undefined : refuse('it has no body')
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const schema = content[type]?.schema
    if (schema === undefined) return refuse(`it has no body of the type ${type}`)
    if (schema.format === 'binary') return
    // A caller who names no fields gets all of them.
    const validate = (new URLSearchParams(query).has('fields') ? cut : whole)(schema)
    const answer = type === 'application/json' ? parseJson(text) : text
    if (!validate(answer)) refuse(JSON.stringify(validate.errors?.slice(0, 3)))
    const unknown = unknownFields(operation, document.components.schemas, errorsIn(answer))
    if (NAMES_FULL_PATHS.test(pathname) && unknown.length > 0) refuse(`the request has no field ${unknown.join(', ')}`)
  }
}

/** A part of a path as the service reads it, which measures its length. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The fields at fault, by path; none if the answer is no refusal of fields. */
function errorsIn(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null || !('errors' in answer)) return {}
  const { errors } = answer
  return typeof errors === 'object' && errors !== null ? { ...errors } : {}
}

/** The browser of a customer gets a page for anything that is in the place of a login token. */
const REST = '{login_token}'

type FindOperation = (method: string, pathname: string) => Operation | undefined

function operationFinder({ paths }: Document): FindOperation {
  const patterns = Object.entries(paths)
    .filter(([path]) => path.includes('{'))
    .map(([path, operations]) => {
      const pattern = path
        .replaceAll('.', '\\.')
        .replace(REST, '.*')
        .replaceAll(/\{\w+\}/g, '[^/]+')
      return { pattern: new RegExp(`^${pattern}$`), operations }
    })
  return (method, pathname) => {
    if (!isReadable(pathname)) return undefined
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    // `PUT /api/fulfillments/count.json` names the fulfillment `count`, because only GET has a path of that name.
    return (
      paths[pathname]?.[name] ??
      patterns.find(({ pattern, operations }) => operations[name] !== undefined && pattern.test(pathname))?.operations[
        name
      ]
    )
  }
}

/** Text that is no JSON is undefined, which fits no schema. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An address with a broken percent escape has no path. */
function isReadable(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname) !== ''
  } catch {
    return false
  }
}

/** Finds the validator of a schema of the document, compiled when it is first needed. */
function validatorsOf(
  { components }: Document,
  adapt: <Part extends Schema>(schema: Part) => Part,
): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    formats: { int64: true, 'wire-time': true, 'http-url': true },
  })
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, strict(adapt(schema))]),
  )
  ajv.addSchema({ $id: 'document', components: { schemas } })
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const validate = ajv.compile(withOwnReferences(strict(adapt(schema))))
    compiled.set(schema, validate)
    return validate
  }
}

/** The document allows new fields, but a field that it does not name today is undocumented. */
function strict<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(strict) as Part
  const schema = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, strict(value)])) as Part & Schema
  const isClosed =
    typeof schema.properties === 'object' && 'type' in schema && schema.additionalProperties === undefined
  return isClosed ? { ...schema, additionalProperties: false } : schema
}

function withOwnReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
}

function resolve(document: Document, { $ref }: Reference): Response {
  const response = document.components.responses[$ref.split('/').at(-1) ?? '']
  assert.ok(response, `${$ref} is not in the document`)
  return response
}

function fitsHeader({ components }: Document, { $ref }: Reference, value: string): boolean {
  const { type, enum: choice } = components.headers[$ref.split('/').at(-1) ?? '']?.schema ?? {}
  return (type !== 'integer' || /^\d+$/.test(value)) && (!Array.isArray(choice) || choice.includes(value))
}

/** Only a missing scope concerns the token; other refusals with 403 do not. */
function mayLack(name: string, { status, text, method }: Exchange): boolean {
  if (OPTIONAL_HEADERS.has(name)) return true
  // The answer to HEAD has no body that would say which refusal it is.
  return name === 'WWW-Authenticate' && status === 403 && (method === 'HEAD' || !text.includes('"insufficient_scope"'))
}
