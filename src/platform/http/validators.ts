import AjvCompiler from '@fastify/ajv-compiler'

type Validate = ((data: unknown, context?: unknown) => unknown) & { errors?: unknown; schemaEnv?: unknown }
type Definition = { schema: object }
type Compile = (definition: Definition) => Validate

/**
 * Makes the validator of a route when the first request needs it. Compiling all of them would take a good part of the
 * start's time, and memory for many that a process never uses.
 */
export function lazyValidators() {
  const build = AjvCompiler() as unknown as (schemas: unknown, options: unknown) => Compile
  return (schemas: unknown, options: unknown): Compile => {
    let compile: Compile | undefined
    return (definition) => {
      let compiled: Validate | undefined
      const validate: Validate = (data, context) => {
        compile ??= build(schemas, options)
        compiled ??= compile(definition)
        const result = compiled(data, context)
        validate.errors = compiled.errors
        return result
      }
      // Fastify takes a validator with this for one of Ajv's, and tells it where the value stands, so that it can be
      // coerced.
      validate.schemaEnv = definition
      return validate
    }
  }
}
