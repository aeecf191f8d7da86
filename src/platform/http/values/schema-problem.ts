import type { FastifyError, FastifyRequest } from 'fastify'
import {
  fieldBlank,
  fieldInvalid,
  fieldNotAllowed,
  fieldOutOfRange,
  fieldRequired,
  fieldTooLong,
  fieldTooShort,
  fieldWrongType,
  timeInvalid,
  tooFewEntries,
  tooManyEntries,
  urlInvalid,
} from '../../errors/faults.ts'
import { type Fault, FieldReport, type Problem } from '../../errors/problem.ts'
import { bodyNotObject, bodyNotWrapped } from '../problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Reports the fields that an input lacks beyond its schema, together with the faults that the schema finds. The
     * input is the object in the wrapper. It has not passed validation: its values may have any type.
     */
    reportMissing?: (input: object, report: FieldReport) => void
  }
}

type SchemaError = NonNullable<FastifyError['validation']>[number]

/** `/product/locales/0/title` in the body is `locales[0].title` to the caller, who knows the wrapper. */
function attributePath(error: SchemaError, context: string | undefined): string {
  const missing = error.keyword === 'required' ? [String(error.params.missingProperty)] : []
  const segments = [...error.instancePath.split('/').slice(1), ...missing]
  // A form has no wrapper: its fields are at the top.
  const isField = segments.length === 1 && error.keyword !== 'type' && error.keyword !== 'required'
  const inside = context === 'body' && !isField ? segments.slice(1) : segments
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

const FORMATS: Record<string, () => Fault> = {
  'wire-time': () => timeInvalid('must be a time such as 2024-06-10T09:30:00'),
  'http-url': urlInvalid,
}

function faultOf({ keyword, params }: SchemaError): Fault {
  const names = [params.type ?? []].flat().filter((name) => name !== 'null')
  if (keyword === 'required') return fieldRequired()
  if (keyword === 'type') return fieldWrongType(names.map((name) => TYPE_NAMES[String(name)] ?? name).join(' or '))
  if (keyword === 'format')
    return FORMATS[String(params.format)]?.() ?? fieldInvalid(`must be a valid ${params.format}`)
  if (keyword === 'maxLength') return fieldTooLong(`is too long (the maximum is ${params.limit} characters)`)
  if (keyword === 'minLength') return Number(params.limit) === 1 ? fieldBlank() : fieldTooShort(Number(params.limit))
  if (keyword === 'minItems') return tooFewEntries()
  if (keyword === 'maxItems') return tooManyEntries(Number(params.limit))
  if (keyword === 'minimum') return fieldOutOfRange(`must be at least ${params.limit}`)
  if (keyword === 'maximum') return fieldOutOfRange(`must be at most ${params.limit}`)
  if (keyword === 'enum') return fieldNotAllowed([params.allowedValues].flat())
  return fieldInvalid('is not in the right form')
}

/** Translates Fastify's validation error: 400 if the body has no wrapper object, otherwise 422. */
export function problemFromSchema(
  error: Pick<FastifyError, 'validation' | 'validationContext'>,
  request?: FastifyRequest,
): Problem | undefined {
  const report = new FieldReport()
  for (const entry of error.validation ?? []) {
    if (report.isFull) break
    const path = attributePath(entry, error.validationContext)
    if (path === '') return notWrapped(entry)
    report.add(path, faultOf(entry))
  }
  const reportMissing = request?.routeOptions.config.reportMissing
  if (reportMissing !== undefined && error.validationContext === 'body')
    for (const input of Object.values(Object(request?.body))) reportMissing(Object(input), report)
  return report.asProblem()
}

function notWrapped(error: SchemaError): Problem {
  const name = error.keyword === 'required' ? String(error.params.missingProperty) : error.instancePath.split('/')[1]
  return name === undefined ? bodyNotObject() : bodyNotWrapped(name)
}
