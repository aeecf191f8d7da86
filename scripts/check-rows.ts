import type { TaggedTemplateExpression } from 'oxc-parser'
import { inOneLine, parse, readSources, type Source, type Violation, walk } from './source.ts'

/**
 * Nothing checks the type in sql<…> if it is written by hand: a column that is renamed, or that may be null, is found only
 * when the statement runs. Types that are made from those of the tables (`Row`, `Columns`, `Filled`) are checked by the
 * compiler, and conditions (`condition`) by PostgreSQL. This counts the rest, which may only become fewer: lower the number
 * when you have made some of them from tables.
 */
export const HANDWRITTEN_MAX = 127

const DERIVED = /\b(Row|Columns|Filled|Selectable)</

type Typed = { path: string; line: number; type: string }

function typedStatements(source: Source): Typed[] {
  const { program, lineOf } = parse(source)
  const found: Typed[] = []
  const add = (node: Pick<TaggedTemplateExpression, 'start' | 'typeArguments'>) => {
    const { typeArguments } = node
    if (typeArguments) {
      const type = source.text.slice(typeArguments.start + 1, typeArguments.end - 1)
      found.push({ path: source.path, line: lineOf(node), type })
    }
  }
  walk(program, (node) => {
    if (node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'sql') add(node)
  })
  return found
}

export function handwrittenTypes(sources: readonly Source[]): Typed[] {
  return sources.flatMap(typedStatements).filter(({ type }) => !DERIVED.test(type))
}

/** If there are more than before, all are listed: nobody can tell which one is new. */
export function checkRows(sources: readonly Source[], most: number): string[] {
  const found = handwrittenTypes(sources)
  if (found.length <= most) return []
  const violations = found.map(
    ({ path, line, type }): Violation => ({ path, line, message: `sql<${type.replaceAll(/\s+/g, ' ')}>` }),
  )
  const advice =
    'make the type from that of the table (Row, Columns, Filled), or use condition, anyOf or the query builder'
  return [
    `${found.length} types of rows are written by hand, and ${most} is the most: ${advice}`,
    ...violations.map(inOneLine),
  ]
}

export async function checkRowsOfProject(): Promise<string[]> {
  const sources = await readSources(['src/**/*.ts'])
  return checkRows(
    sources.filter(({ path }) => !/\.(test|gen)\.ts$/.test(path)),
    HANDWRITTEN_MAX,
  )
}
