import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { API, type Checker, type Symbol as Named, type Type, TypeFlags } from 'typescript/unstable/sync'
import { ROOT } from './source.ts'

const CONTRACT = join(ROOT, 'src/shop/site/pages.site.ts')
const TEMPLATES = 'themes/default/templates/*.liquid'

/** Deeper values are part of another value's type, or nobody reads them. */
const DEPTH_MAX = 5

/** One value: `path` is how a template reads it, with `[]` after lists. */
export type Value = { path: string; type: string; text: string }

export type Template = { name: string; text: string; values: Value[] }

/** `types` are those that several values have. */
export type Contract = { templates: Template[]; types: Template[] }

/** Types that templates see as one thing. */
const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  Date: 'time',
  SafeHtml: 'HTML',
  'Record<string, string>': 'texts by name',
}

/** Reads the values of every template from the types that `reply.shopPage` is held to. */
export function readContract(): Contract {
  const api = new API({ cwd: ROOT })
  try {
    const project = api.updateSnapshot({ openProject: join(ROOT, 'tsconfig.json') }).getProjects()[0]
    const text = project?.program.getSourceFile(CONTRACT)?.text ?? ''
    const place = text.indexOf('interface ShopPages')
    const contract = project?.checker.getSymbolAtPosition(CONTRACT, place + 'interface '.length)
    if (project === undefined || place < 0 || contract === undefined) throw new Error(`${CONTRACT} has no ShopPages`)
    return readPages(project.checker, contract)
  } finally {
    api.close()
  }
}

function readPages(checker: Checker, contract: Named): Contract {
  const types = new Map<string, Template>()

  /** A type that has a name is described once. It may contain itself, so that it is known before its values are read. */
  function nameOf(type: Type): string | undefined {
    const alias = type.getAliasSymbol()
    if (alias === undefined || type.getAliasTypeArguments().length > 0) return undefined
    if (!types.has(alias.name)) {
      const described = { name: alias.name, text: textOf(checker, alias), values: [] as Value[] }
      types.set(alias.name, described)
      described.values = valuesIn(type, '', 1)
    }
    return alias.name
  }

  /** The values in an object, and those in them. */
  function valuesIn(type: Type | undefined, before: string, depth: number): Value[] {
    if (type === undefined || depth > DEPTH_MAX) return []
    return checker.getPropertiesOfType(type).flatMap((property) => {
      const { word, inside, isList } = shapeOf(checker, checker.getTypeOfSymbol(property), nameOf)
      const path = `${before}${property.name}`
      const value = { path, type: word, text: textOf(checker, property) }
      return [value, ...valuesIn(inside, `${path}${isList ? '[]' : ''}.`, depth + 1)]
    })
  }

  const templates = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(contract)).map((each) => ({
    name: each.name,
    text: textOf(checker, each),
    values: valuesIn(checker.getTypeOfSymbol(each), '', 1),
  }))
  return { templates: templates.sort(byName), types: [...types.values()].sort(byName) }
}

const byName = (one: Template, other: Template) => one.name.localeCompare(other.name, 'en')

function textOf(checker: Checker, symbol: Named): string {
  return checker.getDocumentationCommentOfSymbol(symbol).replace(/\s+/g, ' ').trim()
}

const oneOf = (words: readonly string[]) => words.map((word) => WORDS[word] ?? `\`${word}\``).join(' or ')

type Shape = { word: string; inside?: Type; isList?: boolean }

const nothing = TypeFlags.Undefined | TypeFlags.Null

/** How a type is called, and the object that is in it. */
function shapeOf(checker: Checker, type: Type | undefined, nameOf: (type: Type) => string | undefined): Shape {
  if (type === undefined) throw new Error('a value of a template has no type')
  const known = WORDS[checker.typeToString(type)]
  if (known !== undefined) return { word: known }
  if (type.isUnionType()) {
    const there = checker.getNonNullableType(type) ?? type
    const hasNothing = type.getTypes().some(({ flags }) => (flags & nothing) !== 0)
    if (!hasNothing) return { word: oneOf(type.getTypes().map((each) => checker.typeToString(each))) }
    const { word, ...rest } = shapeOf(checker, there, nameOf)
    return { word: `${word}, or nothing`, ...rest }
  }
  if (checker.isArrayLikeType(type)) {
    const [info] = checker.getIndexInfosOfType(type)
    const { word, inside } = shapeOf(checker, info?.valueType, nameOf)
    return { word: `list: ${word}`, isList: true, ...(inside === undefined ? {} : { inside }) }
  }
  if (type.isObjectType() || type.isIntersectionType()) {
    const name = nameOf(type)
    return name === undefined ? { word: 'object', inside: type } : { word: `[${name}](#${name.toLowerCase()})` }
  }
  return { word: checker.typeToString(type) }
}

const inCell = (text: string) => text.replaceAll('|', '\\|')

function section({ text, values }: Template, heading: string): string {
  const rows = values.map(({ path, type, text: said }) => `| \`${path}\` | ${inCell(type)} | ${inCell(said)} |`)
  const table =
    rows.length === 0 ? 'No values of its own.' : ['| Value | Type | What it is |', '|---|---|---|', ...rows].join('\n')
  return [heading, ...(text === '' ? [] : [text]), table].join('\n\n')
}

/** docs/themes.md: every template and its values, for those who write themes. */
export function themesPage({ templates, types }: Contract = readContract()): string {
  const names = templates.map(({ name }) => name)
  const files = globSync(TEMPLATES, { cwd: ROOT }).map((path) => basename(path, '.liquid'))
  const unequal = [...new Set(names).symmetricDifference(new Set(files))]
  if (unequal.length > 0 || names.length === 0)
    throw new Error(`ShopPages and the templates differ: ${unequal.join(', ') || 'there are none'}`)
  if (templates.every(({ values }) => values.length === 0)) throw new Error('no template has a value')
  return `# Templates and their values

Every kind of page has a template, \`templates/{name}.liquid\`, and values of its own. [Make a theme](guides/make-a-theme.md) has
those that every template can read. \`lines[].title\` is the title of each entry of the list \`lines\`. A value that is nothing,
or that does not exist, is shown as an empty text. Amounts are in cents. This page is generated from the types of the pages.

${templates.map((each) => section(each, `## \`${each.name}\``)).join('\n\n')}

## Types

${types.map((each) => section(each, `### ${each.name}`)).join('\n\n')}
`
}
