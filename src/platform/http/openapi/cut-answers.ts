/** What `fields` does to answers: it leaves out fields that are required otherwise. */

type Schema = { [keyword: string]: unknown; $ref?: string; anyOf?: Schema[]; items?: Schema; required?: string[] }
type Operation = {
  parameters?: { name: string }[]
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}
type Document = {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

const SCHEMAS = '#/components/schemas/'
const CUT = 'Fields'

/** Describes what operations answer that take `fields`: the whole thing, or those of its fields that were asked for. */
export function describeCutAnswers(document: Document): void {
  const schemas = document.components?.schemas ?? {}
  for (const path of Object.values(document.paths ?? {})) {
    const { parameters, responses } = path.get ?? {}
    if (!parameters?.some(({ name }) => name === 'fields')) continue
    const schema = responses?.['200']?.content?.['application/json']?.schema
    if (schema !== undefined) cutThings(schema, schemas)
  }
}

/** Answers wrap a thing, or a list of things, in a key. Some have several forms. */
function cutThings(answer: Schema, schemas: Record<string, Schema>): void {
  for (const form of answer.anyOf ?? []) cutThings(form, schemas)
  const properties = (answer.properties ?? {}) as Record<string, Schema>
  for (const [key, thing] of Object.entries(properties)) {
    if (thing.$ref !== undefined) properties[key] = orCut(thing, schemas)
    else if (thing.items?.$ref !== undefined) thing.items = orCut(thing.items, schemas)
  }
}

function orCut(thing: Schema, schemas: Record<string, Schema>): Schema {
  const name = thing.$ref?.slice(SCHEMAS.length) ?? ''
  const whole = schemas[name]
  if (whole?.required === undefined) return thing
  const { required: _required, ...rest } = whole
  schemas[`${name}${CUT}`] ??= { ...rest, description: `The fields of a ${name} that \`fields\` names, and no others.` }
  return { anyOf: [thing, { $ref: `${SCHEMAS}${name}${CUT}` }] }
}

/** A schema as it applies to answers without `fields`. */
export function withoutCuts<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(withoutCuts) as Part
  const { anyOf }: Schema = part as Schema
  const [whole, cut] = anyOf ?? []
  if (whole?.$ref !== undefined && cut?.$ref === `${whole.$ref}${CUT}`) return { ...whole } as Part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withoutCuts(value)])) as Part
}

/** Does a name of a schema stand for a part of another one? */
export function isCut(name: string, { components }: { components: { schemas: object } }): boolean {
  return name.endsWith(CUT) && Object.hasOwn(components.schemas, name.slice(0, -CUT.length))
}
