import type { Schema } from '../values.ts'

/** One value that a body can have. `path` leads to it: `order.line_items[].product_id`. */
export type BodyValue = { path: string; name: string; schema: Schema }

/** Every value of a body that is no object and no list, however deep. */
export function bodyValues(schema: Schema, shared: Record<string, unknown>, path = ''): BodyValue[] {
  if (schema.$ref !== undefined) {
    const target = shared[schema.$ref.replace(/#$/, '')]
    if (target === undefined) throw new Error(`${path} refers to ${schema.$ref}, which is not there`)
    return bodyValues(target as Schema, shared, path)
  }
  const bodies = Object.values(schema.content ?? {}).map((body) => body.schema)
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...bodies]
  const properties = Object.entries(schema.properties ?? {})
  const found = [
    ...inside.flatMap((each) => bodyValues(each, shared, path)),
    ...(schema.items === undefined ? [] : bodyValues(schema.items, shared, `${path}[]`)),
    ...properties.flatMap(([name, each]) => bodyValues(each, shared, path === '' ? name : `${path}.${name}`)),
  ]
  const isPart = inside.length > 0 || schema.items !== undefined || properties.length > 0
  if (isPart || path === '') return onceEach(found)
  return [{ path, name: nameAt(path), schema }]
}

function onceEach(values: BodyValue[]): BodyValue[] {
  return [...new Map(values.map((value) => [value.path, value])).values()]
}

const nameAt = (path: string) => path.replace(/\[\]$/, '').replace(/^.*\./, '')

const stepsOf = (path: string) => path.replaceAll('[]', '.[]').split('.')

/** The body with the value at the path. A list that it has keeps its first entry, which gets the value. */
export function withValue(body: unknown, path: string, value: unknown): unknown {
  return place(body, stepsOf(path), value)
}

function place(inside: unknown, [step, ...rest]: string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '[]') return [place(Array.isArray(inside) ? inside[0] : undefined, rest, value)]
  const object = inside as Record<string, unknown> | undefined
  return { ...object, [step]: place(object?.[step], rest, value) }
}

/** Whatever an answer has at the path, in every entry of its lists. */
export function valuesAt(inside: unknown, path: string): unknown[] {
  return stepsOf(path).reduce<unknown[]>(
    (found, step) =>
      found
        .flatMap((each) => (step === '[]' ? (Array.isArray(each) ? each : []) : [Object(each)[step]]))
        .filter((each) => each !== undefined && each !== null),
    [inside],
  )
}
