import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** The shapes of the wire that every resource shares. */

/** A value or null. One schema with two types, not a union: a union would read null as 0 when it coerces. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: choice }: { type?: unknown; enum?: unknown[] } = schema
  const choiceOrNull = choice === undefined ? {} : { enum: [...new Set([...choice, null])] }
  // A choice of words names no type.
  return Type.Unsafe<Static<Schema> | null>({ ...schema, ...choiceOrNull, type: [type ?? 'string', 'null'] })
}

/** The largest id that PostgreSQL and JavaScript both represent exactly. */
const ID_MAX = Number.MAX_SAFE_INTEGER

export const Id = (description: string) => Type.Integer({ minimum: 1, maximum: ID_MAX, description })

/**
 * How a client may spell a value beside its type: `reference` takes 0, an empty text and null for none, `email` and
 * `search` take a raw `+`. `http/read-values.ts` reads it.
 */
export type Reading = 'reference' | 'email' | 'search'

const readAs = (reading: Reading) => ({ 'x-reads': reading })

/** An id in a body that may refer to nothing. 0, an empty text and null mean so, and arrive as null. */
export const Reference = (description: string, minimum = 0) =>
  Type.Unsafe<number | null>({
    ...readAs('reference'),
    type: ['integer', 'null'],
    minimum,
    maximum: ID_MAX,
    description: `${description} 0, an empty text and null: none.`,
  })

/** A property of a body that has to refer to something: 0, an empty text and null count as absent. */
export function reference<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, ...readAs('reference') }
}

export const Text = (lengthMax: number, description: string, examples?: string[]) =>
  Type.String({ maxLength: lengthMax, description, ...(examples === undefined ? {} : { examples }) })

/** The longest id or token in a path. No real one is nearly as long, and the router refuses longer ones. */
export const PATH_PART_MAX = 2000

/** An id or a token in a path. */
export const PathPart = (description: string, examples?: string[]) => Text(PATH_PART_MAX, description, examples)

export const NAME_MAX = 100
export const EMAIL_MAX = 100

/** A longer text is not even compared with a password; passwords have a limit of their own. */
export const PASSWORD_TEXT_MAX = 300

/** One address that a mail can be sent to, without a name, quotes or comments. */
export const EMAIL_PATTERN =
  '^[^\\s@<>()\\[\\],;:\\\\"\\u0000-\\u001f\\u007f]{1,64}@[^\\s@<>()\\[\\],;:\\\\"\\u0000-\\u001f\\u007f]+$'

export const Email = (description: string) =>
  Type.String({ maxLength: EMAIL_MAX, pattern: EMAIL_PATTERN, description, examples: ['jane@example.com'] })

/** An email address in a query. A raw `+` arrives as a blank there. */
export const EmailParameter = (lengthMax: number, description: string) =>
  Type.String({ ...readAs('email'), maxLength: lengthMax, description, examples: ['jane@example.com'] })

const SEARCH_MAX = 300
const WORDS_MAX = 200

/** A search for `field:value` in a query, where an email address may have a raw `+`. */
export const SearchParameter = (description: string) =>
  Type.String({ ...readAs('search'), maxLength: SEARCH_MAX, description, examples: ['email:jane@example.com'] })

/** What somebody typed to find something. */
export const WordsParameter = (description: string, example: string) =>
  Type.String({ ...readAs('search'), maxLength: WORDS_MAX, description, examples: [example] })

/** The same properties in a body: an absent one stays as it is. */
export function optional<Properties extends TProperties>(properties: Properties) {
  return Type.Partial(Type.Object(properties)).properties
}

/** A time as answers carry it. */
export const Time = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
    description: `${description} GMT, without a zone designator.`,
    examples: ['2024-06-10T09:30:00'],
  })

/** More than any spelling of a time needs. */
const TIME_MAX = 50

/** A time as requests may carry it: with `T` or a blank, without seconds, the date alone, with any offset. */
export const TimeInput = (description: string) =>
  Type.String({ format: 'wire-time', maxLength: TIME_MAX, description, examples: ['2024-06-10T09:30:00'] })

/** An answer's part that is described once under its own name. */
export function named<Schema extends TSchema>(schema: Schema & { $id?: string }) {
  return Type.Unsafe<Static<Schema>>({ $ref: `${schema.$id}#` })
}

export const Count = Type.Object({ count: Type.Integer({ minimum: 0 }) }, { $id: 'Count' })

export const Empty = Type.Object({}, { $id: 'Empty', description: 'Nothing to say: it is done.' })
