import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { PASSWORD_TEXT_MAX } from '../../wire/schema.ts'
import { formFieldRepeated } from '../problems.ts'

const FORM_BYTES_MAX = 65_536

/** Reads bodies of `application/x-www-form-urlencoded`. A field that is sent twice is ambiguous, so it is refused. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => {
      const pairs = new URLSearchParams(String(body))
      if (new Set(pairs.keys()).size !== pairs.size) return done(formFieldRepeated())
      done(null, Object.fromEntries(pairs))
    },
  )
}

/** The longest texts that forms take. A rule with a lower limit explains it beside the field. */
const LENGTHS = {
  /** A word that the page itself has put into the form, such as an id. */
  word: 100,
  /** A name, an email address or a code that a person types. */
  line: 1000,
  password: PASSWORD_TEXT_MAX,
  /** The address to return to. */
  path: 4000,
  /** What a person writes in several lines. Line breaks are sent as two characters. */
  text: 12_000,
} as const

/** The body of a route that takes a form, so that no field is read before its length is checked. */
export function formBody(fields: Record<string, keyof typeof LENGTHS>) {
  const texts = Object.entries(fields).map(([name, kind]) => [
    name,
    Type.Optional(Type.String({ maxLength: LENGTHS[kind] })),
  ])
  return orNone(Type.Object(Object.fromEntries(texts)))
}

/** A body that may be missing. */
export function orNone<Schema extends TObject>(schema: Schema) {
  return { ...schema, type: ['object', 'null'] }
}

/** A text in the query; one that is missing or sent twice is empty. */
export function queryText(request: FastifyRequest, name: string): string {
  return textIn(request.query, name)
}

/** The named fields of a form; one that was not sent is empty. */
export function formOf<Name extends string>(request: FastifyRequest, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textIn(request.body, name)])) as Record<Name, string>
}

function textIn(values: unknown, name: string): string {
  const value: unknown = typeof values === 'object' && values !== null ? Reflect.get(values, name) : undefined
  return typeof value === 'string' ? value : ''
}
