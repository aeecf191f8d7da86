import assert from 'node:assert/strict'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  pattern?: string
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  /** By content type, where a body is no JSON. */
  content?: Record<string, { schema: Schema }>
}

/** A pattern for the whole text that repeats nothing without end. */
function isBoundedPattern(pattern: string): boolean {
  const withoutClasses = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
  return /^\^.*\$$/.test(pattern) && !/[*+]|\{\d+,\}/.test(withoutClasses)
}

/** The parts of a request's schema that take texts, lists or objects of any size, each with its path. */
export function unboundedParts(schema: Schema, shared: Record<string, unknown>, path: string): string[] {
  if (schema.$ref !== undefined) {
    const target = shared[schema.$ref.replace(/#$/, '')]
    assert.ok(target, `${path} refers to ${schema.$ref}, which is not there`)
    return unboundedParts(target as Schema, shared, path)
  }
  if (schema.enum !== undefined || schema.const !== undefined) return []
  const bodies = Object.values(schema.content ?? {}).map((body) => body.schema)
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...bodies]
  const types = [schema.type ?? []].flat()
  if (types.length === 0 && inside.length === 0) return [`${path} takes anything`]
  return [
    ...inside.flatMap((each) => unboundedParts(each, shared, path)),
    ...(types.includes('string') ? unboundedText(schema, path) : []),
    ...(types.includes('array') ? unboundedList(schema, shared, path) : []),
    ...(types.includes('object') ? unboundedObject(schema, shared, path) : []),
  ]
}

function unboundedText({ maxLength, pattern }: Schema, path: string): string[] {
  const isBounded = maxLength !== undefined || (pattern !== undefined && isBoundedPattern(pattern))
  return isBounded ? [] : [`${path} is a text without maxLength`]
}

function unboundedList({ maxItems, items }: Schema, shared: Record<string, unknown>, path: string): string[] {
  return [
    ...(maxItems === undefined ? [`${path} is a list without maxItems`] : []),
    ...(items === undefined ? [`${path}[] takes anything`] : unboundedParts(items, shared, `${path}[]`)),
  ]
}

/** Unknown attributes are dropped, unless the schema gives them a shape. */
function unboundedObject(schema: Schema, shared: Record<string, unknown>, path: string): string[] {
  const { properties = {}, patternProperties, additionalProperties = false } = schema
  return [
    ...(patternProperties !== undefined || additionalProperties !== false
      ? [`${path} has attributes of any name`]
      : []),
    ...Object.entries(properties).flatMap(([name, each]) => unboundedParts(each, shared, `${path}.${name}`)),
  ]
}
