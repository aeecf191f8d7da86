import type { Listing } from './listing.ts'
import type { components, paths } from './openapi.gen.ts'
import type { RESOURCES } from './resources.gen.ts'

/** The objects of the API by name, such as `Schemas['Order']`. */
export type Schemas = components['schemas']

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Paths of the API that have this method. */
export type PathOf<Method extends HttpMethod> = {
  [Path in keyof paths]: [paths[Path][Lowercase<Method>]] extends [undefined] ? never : Path
}[keyof paths]

type OperationAt<Method extends HttpMethod, Path> = Path extends keyof paths ? paths[Path][Lowercase<Method>] : never

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never

type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonOf<Body> : never

type AnswerOf<Operation> = Operation extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses]> : never

export type Id = string | number

export type CallOptions = {
  /** Ends the request and its retries. */
  signal?: AbortSignal
  /** The service does what it is asked once for one key. Without one, the client makes one for every POST. */
  idempotencyKey?: string
  /** The ETag of the document as it was read: if somebody has changed it since, `ChangedError` is thrown. */
  ifMatch?: string
  /** Is given the headers of the answer, such as its ETag. */
  onHeaders?: (headers: Headers) => void
}

/** What a method of a resource needs to know, see resources.gen.ts. */
export type Entry = {
  readonly method: HttpMethod
  readonly path: string
  /** The key that the body is wrapped in; empty if there is none. */
  readonly body?: string
  readonly answer?: string
  readonly isList?: boolean
}

type IdsOf<Path> = Path extends `${string}{${string}}${infer Rest}`
  ? Rest extends `${string}{${string}}${string}`
    ? [parentId: Id, ...IdsOf<Rest>]
    : [id: Id]
  : []

/** The value under a key, in that form of the answer that has it. An empty answer is no value. */
type Unwrapped<Answer, Key> = Key extends string
  ? Answer extends Record<Key, infer Value>
    ? Value
    : never
  : string extends keyof Answer
    ? undefined
    : Answer

type MethodOf<One extends Entry, Operation> = One extends { isList: true }
  ? Unwrapped<AnswerOf<Operation>, One['answer']> extends (infer Item)[]
    ? (...args: [...IdsOf<One['path']>, query?: QueryOf<Operation>, options?: CallOptions]) => Listing<Item>
    : never
  : (
      ...args: [...IdsOf<One['path']>, ...ContentOf<One, Operation>]
    ) => Promise<Unwrapped<AnswerOf<Operation>, One extends { answer: infer Key } ? Key : undefined>>

type ContentOf<One extends Entry, Operation> = One extends { body: infer Key }
  ? [body: Key extends '' ? BodyOf<Operation> : Unwrapped<BodyOf<Operation>, Key>, options?: WriteOptions<Operation>]
  : One extends { method: 'GET' }
    ? [query?: QueryOf<Operation>, options?: CallOptions]
    : [options?: WriteOptions<Operation>]

type WriteOptions<Operation> = CallOptions & { query?: QueryOf<Operation> }

/** Every resource with its methods, from the table of the OpenAPI document. */
export type Resources<Table = typeof RESOURCES> = {
  readonly [Name in keyof Table]: Table[Name] extends Entry
    ? MethodOf<Table[Name], OperationAt<Table[Name]['method'], Table[Name]['path']>>
    : Resources<Table[Name]>
}

type Needed<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : [Value] extends [undefined]
    ? unknown
    : { [Key in Name]: Value }

type PathParametersOf<Operation> = Operation extends { parameters: { path: infer Parameters } }
  ? { [Name in keyof Parameters]: Id }
  : never

type RequestContent<Operation> = CallOptions & { query?: QueryOf<Operation> } & Needed<
    'params',
    PathParametersOf<Operation>
  > &
  Needed<'body', BodyOf<Operation>>

type ContentArgument<Content> = Partial<Content> extends Content ? [content?: Content] : [content: Content]

/** Sends any request of the API and returns the whole answer, with its wrapper. */
export type RequestFunction = <Method extends HttpMethod, Path extends PathOf<Method>>(
  method: Method,
  path: Path,
  ...content: ContentArgument<RequestContent<OperationAt<Method, Path>>>
) => Promise<AnswerOf<OperationAt<Method, Path>>>
