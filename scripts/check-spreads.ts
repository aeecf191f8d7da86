import { inOneLine, parse, readSources, type Source, type Violation, walk } from './source.ts'

const LITERALS: Readonly<Record<string, string>> = { ObjectExpression: 'object', ArrayExpression: 'array' }
/** Fewer spreads than that have not been looked for. */
const FEWEST = 500

/** Spreads of a file, and those of a literal: `...{ a: 1 }` is `a: 1` in another layout. */
export function findSpreads(source: Source): { spreads: number; literal: Violation[] } {
  const { program, lineOf } = parse(source)
  const literal: Violation[] = []
  let spreads = 0
  walk(program, (node) => {
    if (node.type !== 'SpreadElement') return
    spreads += 1
    const kind = LITERALS[node.argument.type]
    if (kind === undefined) return
    literal.push({ path: source.path, line: lineOf(node), message: `spreads an ${kind} that is written there` })
  })
  return { spreads, literal }
}

/** What is written for the formatter, not for readers. Fails if it saw hardly any spread. */
export function checkSpreads(sources: readonly Source[], fewest = FEWEST): string[] {
  const found = sources.map(findSpreads)
  const count = found.reduce((sum, { spreads }) => sum + spreads, 0)
  if (count < fewest) return [`saw only ${count} spreads`]
  return found.flatMap(({ literal }) => literal).map(inOneLine)
}

export async function checkSpreadsOfProject(): Promise<string[]> {
  return checkSpreads(
    await readSources([
      '{src,test,scripts,bench,fuzz,proof,client/src,pdf-text/src}/**/*.ts',
      'admin/src/**/*.{ts,tsx}',
    ]),
  )
}
