import type { Schema as BoundedSchema } from './bounds.ts'
import type { Route } from './collect-routes.ts'

export type Schema = Omit<BoundedSchema, 'items' | 'properties' | 'anyOf'> & {
  'x-reads'?: string
  format?: string
  description?: string
  required?: string[]
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

/** A field that a request can have: `path` is its name in an error, `place` builds a body with one value there. */
export type Field = {
  name: string
  path: string
  schema: Schema
  isRequired: boolean
  place(value: unknown): unknown
}

export function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat()
}

/** Every field in the wrapper of a route's body, however deep. */
export function bodyFields({ schema }: Route): Field[] {
  const [wrapper] = Object.entries((schema.body as Schema | undefined)?.properties ?? {})
  if (wrapper === undefined) return []
  const [name, inside] = wrapper
  return fieldsIn(inside, '', (value) => ({ [name]: value }))
}

function fieldsIn(schema: Schema, path: string, place: Field['place']): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const field: Field = {
      name,
      path: path === '' ? name : `${path}.${name}`,
      schema: each,
      isRequired: schema.required?.includes(name) === true,
      place: (value) => place({ [name]: value }),
    }
    const entry = each.items
    return [
      field,
      ...fieldsIn(each, field.path, field.place),
      ...(entry === undefined ? [] : fieldsIn(entry, `${field.path}[0]`, (value) => field.place([value]))),
    ]
  })
}
