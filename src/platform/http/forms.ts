import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formFieldRepeated } from './problems.ts'

const FORM_BYTES_MAX = 65_536

/** Reads bodies of `application/x-www-form-urlencoded`. A name that is there twice could mean two things: it is refused. */
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

/** A text in the query; one that is not there, or is there twice, is empty. */
export function queryText(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** The named fields of a form; one that was not sent is empty. */
export function formOf<Name extends string>(request: FastifyRequest, ...names: Name[]): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const entries = names.map((name) => [name, typeof body[name] === 'string' ? body[name] : ''])
  return Object.fromEntries(entries) as Record<Name, string>
}
