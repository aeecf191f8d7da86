import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type CallExpression, type Node, type Program, parseSync, type TemplateElement, visitorKeys } from 'oxc-parser'

export type Source = { path: string; text: string }

export type Violation = { path: string; line: number; message: string }

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export async function readSources(patterns: string[]): Promise<Source[]> {
  const paths = globSync(patterns, { cwd: ROOT }).sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(`${ROOT}${path}`, 'utf8') })))
}

export function inOneLine({ path, line, message }: Violation): string {
  return `${path}:${line} ${message}`
}

export type Parsed = { program: Program; lineOf: (node: { start: number }) => number }

/** Parses TypeScript. What cannot be parsed cannot be checked either, so it is an error. */
export function parse({ path, text }: Source): Parsed {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return { program, lineOf: ({ start }) => lineStarts.findLastIndex((lineStart) => lineStart <= start) + 1 }
}

/** Visits a node and everything in it, in order. `around` are the nodes that contain it, the innermost last. */
export function walk(root: Node, visit: (node: Node, around: readonly Node[]) => void): void {
  const around: Node[] = []
  const enter = (node: Node) => {
    visit(node, around)
    around.push(node)
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key as keyof Node] as unknown as Node | null | undefined | (Node | null)[]
      for (const each of Array.isArray(child) ? child : [child]) if (each) enter(each)
    }
    around.pop()
  }
  enter(root)
}

/** The value of a quoted text; undefined for anything else. */
export function textOf(node: Node | null | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** A template as it is written, in which each expression is an empty `${}`. */
export function templateText({ quasis }: { quasis: readonly TemplateElement[] }): string {
  return quasis.map(({ value }) => value.raw).join(`\${}`)
}

/** What a call names: `f` in `f()` and in `a.f()`. */
export function calledName({ callee }: Pick<CallExpression, 'callee'>): { name: string; start: number } | undefined {
  const named = callee.type === 'MemberExpression' && !callee.computed ? callee.property : callee
  return named.type === 'Identifier' ? named : undefined
}

/** `src/catalog/products/locales/rules.ts` lies in the wing catalog; the files directly under src lie in none. */
export function wingOf(path: string): string {
  const [root, wing, ...rest] = path.split('/')
  return root === 'src' && rest.length > 0 ? (wing ?? '') : ''
}

/** `src/catalog/products/locales/rules.ts` lies in the room catalog/products. The platform is one room. */
export function roomOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] !== 'src') return parts[0] ?? ''
  return wingOf(path) === 'platform' ? 'platform' : parts.slice(1, -1).slice(0, 2).join('/')
}
