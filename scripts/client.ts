import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isCut, withoutCuts } from '#platform/http/openapi/cut-answers.ts'
import { ROOT } from './source.ts'

const run = promisify(execFile)

type Schema = { $ref?: string; type?: string; properties?: Record<string, Schema>; anyOf?: Schema[] }
type Content = { content?: Record<string, { schema: Schema }> }
export type Operation = {
  operationId: string
  parameters?: { in: string; name: string }[]
  requestBody?: Content
  responses: Record<string, Content>
  security?: Record<string, string[]>[]
}
/** The parts of an OpenAPI document that the client is made from. */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/**
 * The document without addresses that a browser opens to be redirected, and without the headers and error answers, which
 * the client handles itself. Answers are whole: a caller of the client that asks for some fields knows which.
 */
export function forClients(document: Document): Document {
  return only(document, ({ responses }) => Object.keys(responses).some((status) => status.startsWith('2')))
}

/** The same without what no app can use: endpoints for signed-in users, whose only key is a cookie. */
export function forApps(document: Document): Document {
  return only(forClients(document), ({ security }) => !security?.some((way) => 'session' in way))
}

function only(document: Document, isKept: (operation: Operation) => boolean): Document {
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, operation]) => isKept(operation))
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept.map(([method, one]) => [method, reduced(one)]))]]
  })
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !isCut(name, document))
  return { ...document, paths: Object.fromEntries(paths), components: { schemas: Object.fromEntries(schemas) } }
}

function reduced(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  return {
    ...operation,
    parameters: operation.parameters?.filter((parameter) => parameter.in !== 'header') ?? [],
    responses: Object.fromEntries(
      responses.map(([status, answer]) => [status, { ...withoutCuts(answer), headers: {} }]),
    ),
  }
}

/**
 * A method of the client: where it sends its request, and in which keys the body and the answer are wrapped. An empty
 * `body` stands for a body without a wrapper.
 */
export type Entry = { method: string; path: string; body?: string; answer?: string; isList?: true }
export type Resource = { [name: string]: Entry | Resource }

const METHOD_NAMES: Record<string, string> = { post: 'create', put: 'update', delete: 'delete' }

/**
 * The client's methods, by the names that the paths give them: `/api/orders/{id}.json` is `orders.get`, `orders.update`
 * and `orders.delete`, `/api/orders/{id}/refunds.json` is `orders.refunds.create`, `/api/users/search.json` is
 * `users.search`. So a new endpoint needs no line of code.
 */
export function resourcesOf(document: Document): Resource {
  const spellings = new Map(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => {
        const noun = operationId.replace(/^list/, '')
        return [noun.toLowerCase(), noun.charAt(0).toLowerCase() + noun.slice(1)]
      }),
    ),
  )
  const nameOf = (segment: string) =>
    spellings.get(segment) ?? segment.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
  const resources: Resource = {}
  for (const [path, methods] of Object.entries(forApps(document).paths)) {
    const segments = /^\/(?:api|admin)\/([^.]+)(?:\.json)?$/.exec(path)?.[1]?.split('/')
    // Webhooks have two paths.
    const isTwin = path.startsWith('/admin/') && path.replace('/admin/', '/api/') in document.paths
    if (segments === undefined || isTwin) continue
    for (const [method, operation] of Object.entries(methods)) {
      // Some paths can be changed with POST too, for clients that cannot send PUT.
      if (method === 'post' && methods.put !== undefined) continue
      // The client sends JSON; bytes are sent as they are, by whoever has them.
      if (operation.requestBody !== undefined && schemaOf(operation.requestBody) === undefined) continue
      const entry = entryOf(document, path, method, operation)
      put(resources, namesOf(segments, method, entry, hasBelow(document, path)).map(nameOf), entry)
    }
  }
  return resources
}

function entryOf(document: Document, path: string, method: string, operation: Operation): Entry {
  const body = schemaOf(operation.requestBody)
  const answer = onlyProperty(document, withoutCuts(Object.values(operation.responses)[0]))
  return {
    method: method.toUpperCase(),
    path,
    ...(body === undefined ? {} : { body: wrapperOf(document, body) }),
    ...(answer === undefined ? {} : { answer: answer.name }),
    ...(method === 'get' && answer?.type === 'array' ? { isList: true } : {}),
  }
}

/** Do other paths lie below this one, so that it cannot be a method alone? */
function hasBelow(document: Document, path: string): boolean {
  const below = `${path.replace(/\.json$/, '')}/`
  return Object.keys(document.paths).some((other) => other.startsWith(below))
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema
}

/** The key that an answer is wrapped in: its only property, apart from warnings. */
function onlyProperty(document: Document, content: Content | undefined): { name: string; type: string } | undefined {
  const schema = schemaOf(content)
  const properties = Object.entries(schema === undefined ? {} : propertiesOf(document, schema))
  const [first, second] = properties.filter(([name]) => name !== 'warnings')
  return first === undefined || second !== undefined ? undefined : { name: first[0], type: first[1].type ?? '' }
}

/** The key that a body is wrapped in: its only property, if that is an object. Empty if there is no such key. */
function wrapperOf(document: Document, body: Schema): string {
  const [first, second] = Object.entries(propertiesOf(document, body))
  const isObject = first?.[1].$ref !== undefined || first?.[1].type === 'object'
  return first !== undefined && second === undefined && isObject ? first[0] : ''
}

/** Where an answer has several forms, the first is the usual one. */
function propertiesOf(document: Document, { $ref, anyOf, properties = {} }: Schema): Record<string, Schema> {
  const other = $ref === undefined ? anyOf?.[0] : document.components.schemas[$ref.split('/').at(-1) ?? '']
  return other === undefined ? properties : propertiesOf(document, other)
}

/** The way to a method in the client, from the segments of a path: nouns, ids in braces, and at times a verb. */
function namesOf(
  segments: string[],
  method: string,
  { body, answer = '', isList }: Entry,
  isParent: boolean,
): string[] {
  const words = segments.filter((segment) => !segment.startsWith('{'))
  const endsWithId = segments.at(-1)?.startsWith('{') === true
  const isNested = words.length > 1
  if (endsWithId && isList) return isNested ? words : [...words, answer]
  if (endsWithId) return [...words, METHOD_NAMES[method] ?? 'get']
  const followsId = segments.at(-2)?.startsWith('{') === true
  // A noun has a plural in the path and a singular in the body, such as refunds and refund. A verb has the same words in both,
  // such as change_plan and plan_change.
  const isNoun = isList || (body !== undefined && body !== '' && wordsIn(body) !== wordsIn(words.at(-1) ?? ''))
  const isVerb = isNested && !(followsId && (isNoun || isParent))
  if (isVerb) return words
  return [...words, isList ? 'list' : (METHOD_NAMES[method] ?? 'get')]
}

const wordsIn = (name: string) => name.split('_').sort().join(' ')

function put(resources: Resource, names: string[], entry: Entry): void {
  const last = names.at(-1) ?? ''
  let at = resources
  for (const name of names.slice(0, -1)) {
    at[name] ??= {}
    const next = at[name]
    if (typeof next.path === 'string') throw new Error(`${entry.path} lies below ${next.path}, which is a method`)
    at = next as Resource
  }
  if (at[last] !== undefined) throw new Error(`two endpoints are called ${names.join('.')}: one is ${entry.path}`)
  at[last] = entry
}

export function clientResources(document: unknown): string {
  const table = JSON.stringify(resourcesOf(document as Document), null, 2)
  return `// Generated by "npm run generate" from the OpenAPI document.\n\nexport const RESOURCES = ${table} as const\n`
}

/** The topics of events with their data, as the service declares them. */
export function clientTopics(source: string): string {
  const start = source.indexOf('export type Topics = {\n')
  const end = source.indexOf('\n}\n', start)
  if (start === -1 || end === -1) throw new Error('src/history/events/topics.facts.ts declares no type Topics')
  const type = source.slice(start, end + '\n}\n'.length)
  return `// Generated by "npm run generate" from src/history/events/topics.facts.ts.\n\n${type}`
}

/** The types of all requests and answers. The generator runs on the TypeScript of the client, because 7 has no API. */
export async function clientTypes(document: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-client-types-'))
  try {
    const [from, to] = [join(folder, 'openapi.json'), join(folder, 'types.ts')]
    await writeFile(from, JSON.stringify(forClients(document as Document)))
    await run(
      join(ROOT, 'client/node_modules/.bin/openapi-typescript'),
      [from, '--output', to, '--default-non-nullable', 'false'],
      { cwd: folder },
    )
    return await readFile(to, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
