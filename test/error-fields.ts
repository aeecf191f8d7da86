/** The parts of an OpenAPI document that describe the fields of a request. */
type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
export type RequestFields = {
  parameters?: { name?: string }[]
  requestBody?: { content?: Record<string, { schema: Schema }> }
}
export type Schemas = Record<string, unknown>

/** `line_items[1].quantity` becomes `line_items`, `[]`, `quantity`. */
function stepsOf(path: string): string[] {
  return path.replaceAll(/\[\d+\]/g, '.[]').split('.')
}

/**
 * The fields in the `errors` of a refusal that the request does not have. A body has one wrapper, such as `order`, and paths
 * start inside it.
 */
export function unknownFields(operation: RequestFields, schemas: Schemas, errors: Record<string, unknown>): string[] {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve((schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Schema)
  const enter = (schema: Schema, step: string): Schema[] => {
    const { properties, items, anyOf = [] } = resolve(schema)
    const own = step === '[]' ? items : properties?.[step]
    return [...(own === undefined ? [] : [own]), ...anyOf.flatMap((each) => enter(each, step))]
  }
  const body = operation.requestBody?.content?.['application/json']?.schema ?? {}
  const inner = Object.values(resolve(body).properties ?? {})
  const parameters = new Set(operation.parameters?.map(({ name }) => name))
  const isKnown = (path: string) => {
    if (parameters.has(path)) return true
    return stepsOf(path).reduce<Schema[]>((found, step) => found.flatMap((each) => enter(each, step)), inner).length > 0
  }
  return Object.keys(errors).filter((path) => !isKnown(path))
}
