import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchemaValidationError } from 'fastify'
import { createQueryReader, createReader, type Reader } from './read-values.ts'

type Errors = FastifySchemaValidationError[] | null | undefined
type Validate = ((data: unknown, context?: unknown) => unknown) & { errors?: Errors; schemaEnv?: unknown }
type Definition = { schema: object; httpPart?: string }
type Compile = (definition: Definition) => Validate
type Options = { customOptions: object }

/** An input with more values or text than this is told its first error only. */
const VALUES_MAX = 10_000
const TEXT_MAX = 1_000_000

/** Does an input have so few values that finding all of its errors is cheap? Stops counting as soon as it is not. */
export function isSmall(input: unknown): boolean {
  const open = [input]
  let values = 0
  let text = 0
  while (open.length > 0) {
    const value = open.pop()
    values += 1
    if (typeof value === 'string') text += value.length
    else if (typeof value === 'object' && value !== null) {
      const inside: unknown[] = Array.isArray(value) ? value : Object.values(value)
      if (values + open.length + inside.length > VALUES_MAX) return false
      for (const each of inside) open.push(each)
    }
    if (text > TEXT_MAX) return false
  }
  return true
}

const build = AjvCompiler() as unknown as (schemas: unknown, options: Options) => Compile

/** The validators of each compiler, by the text of their schemas. */
const compiled = new WeakMap<Compile, Map<string, Validate>>()

/**
 * Compiles each schema once in a process: many routes have the same parameters, and tests start hundreds of services
 * with the same routes.
 */
function buildOnce(schemas: unknown, options: Options): Compile {
  const compile = build(schemas, options)
  const known = compiled.get(compile) ?? new Map<string, Validate>()
  compiled.set(compile, known)
  return (definition) => {
    const text = JSON.stringify(definition.schema)
    const validate = known.get(text) ?? compile(definition)
    known.set(text, validate)
    return validate
  }
}

/**
 * Makes the validator of a route when the first request needs it. Compiling all of them would take a good part of the
 * start's time, and memory for many that a process never uses.
 *
 * A validator stops at the first error. Only a small input is validated again for all of its errors: in a list with a
 * million wrong entries they would take seconds and a gigabyte.
 */
export function lazyValidators() {
  return (schemas: unknown, options: Options): Compile => {
    const compileFirst = lazily(() => buildOnce(schemas, withAllErrors(options, false)))
    const compileAll = lazily(() => buildOnce(schemas, withAllErrors(options, true)))
    return (definition) => {
      const first = lazily(() => compileFirst()(definition))
      const all = lazily(() => compileAll()(definition))
      const read = lazily(() => readerOf(definition))
      const validate: Validate = (data, context) => {
        read()(data)
        const quick = first()
        let result = quick(data, context)
        validate.errors = quick.errors
        if (result === false && isSmall(data)) {
          result = all()(data, context)
          validate.errors = all().errors
        }
        return result
      }
      // Fastify takes a validator with this for one of Ajv's, and tells it where the value stands, so that it can be
      // coerced.
      validate.schemaEnv = definition
      return validate
    }
  }
}

/** Values are read in place, as Ajv would coerce them. */
function readerOf({ schema, httpPart }: Definition): Reader {
  return httpPart === 'querystring' ? createQueryReader(schema) : (createReader(schema) ?? ((value) => value))
}

function withAllErrors(options: Options, allErrors: boolean): Options {
  return { ...options, customOptions: { ...options.customOptions, allErrors } }
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
