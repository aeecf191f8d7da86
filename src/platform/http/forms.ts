import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formFieldRepeated } from './problems.ts'

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
