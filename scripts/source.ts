import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * What the checks need to know of a TypeScript file. TypeScript 7 has no stable parser to ask, and words are enough.
 */
export type Token = { kind: 'word' | 'text' | 'template' | 'regex' | 'mark'; text: string; line: number }

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

const BLANK = /\s+|\/\/.*|\/\*[\s\S]*?\*\//y
const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$]*|\d[\w.]*/uy
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
/** After one of these a slash starts a regular expression; after anything else it divides. */
const BEFORE_REGEX = /^(?:[({[,;:=!&|?+\-*%<>~^}]|return|case|typeof|in|of|=>)$/

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The end of the template that starts at a backquote, and where the expressions inside it lie. */
function readTemplate(text: string, start: number): { end: number; holes: [number, number][] } {
  const holes: [number, number][] = []
  let at = start + 1
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2
    else if (text.startsWith('${', at)) {
      const end = endOfHole(text, at + 2)
      holes.push([at + 2, end])
      at = end + 1
    } else at += 1
  }
  return { end: at + 1, holes }
}

function endOfHole(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    if (text[at] === '`') at = readTemplate(text, at).end
    else if (text[at] === '}' && depth === 0) return at
    else {
      const skipped = matchAt(TEXT, text, at) ?? matchAt(BLANK, text, at)
      if (text[at] === '{') depth += 1
      if (text[at] === '}') depth -= 1
      at += skipped?.length ?? 1
    }
  }
  return at
}

/**
 * Splits TypeScript into words, texts, templates, regular expressions and marks, without comments. A template comes as
 * one token in which each expression is an empty `${}`; the expressions' own tokens follow it.
 */
export function scan(text: string): Token[] {
  const tokens: Token[] = []
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (at: number) => lineStarts.findLastIndex((start) => start <= at) + 1

  function read(from: number, to: number): void {
    let at = from
    while (at < to) {
      const blank = matchAt(BLANK, text, at)
      if (blank !== undefined) {
        at += blank.length
        continue
      }
      const line = lineAt(at)
      if (text[at] === '`') {
        const { end, holes } = readTemplate(text, at)
        let raw = ''
        let plain = at + 1
        for (const [start, stop] of holes) {
          raw += text.slice(plain, start)
          plain = stop
        }
        tokens.push({ kind: 'template', text: raw + text.slice(plain, end - 1), line })
        for (const [start, stop] of holes) read(start, stop)
        at = end
        continue
      }
      const quoted = matchAt(TEXT, text, at)
      const word = quoted ?? matchAt(WORD, text, at)
      const regex =
        word === undefined && BEFORE_REGEX.test(tokens.at(-1)?.text ?? ';') ? matchAt(REGEX, text, at) : undefined
      const found = word ?? regex ?? text.charAt(at)
      if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.slice(1, -1), line })
      else if (regex === undefined) tokens.push({ kind: word === undefined ? 'mark' : 'word', text: found, line })
      else tokens.push({ kind: 'regex', text: regex, line })
      at += found.length
    }
  }

  read(0, text.length)
  return tokens
}

const CLOSES: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** The index of the bracket that closes the one at `open`. */
export function closingAt(tokens: Token[], open: number): number {
  const waiting: string[] = []
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token?.kind !== 'mark') continue
    const { text } = token
    if (CLOSES[text] !== undefined) waiting.push(CLOSES[text])
    else if (text === waiting.at(-1)) waiting.pop()
    if (waiting.length === 0) return at
  }
  return tokens.length - 1
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
