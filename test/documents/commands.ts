import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The documents for people who use or change Licet. Decisions tell of the past, and open questions of other services. */
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/guides/*.md']
const NOT_READ = ['docs/open-questions.md']

export type Document = { path: string; text: string }

export function readDocuments(): Document[] {
  const paths = globSync(DOCUMENTS, { cwd: ROOT }).filter((path) => !NOT_READ.includes(path))
  // In the order of the list above: a newcomer reads the README first.
  const rank = (path: string) => ['README.md', 'CONTRIBUTING.md'].indexOf(path) + 1 || 9
  return paths
    .toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** The blocks of a language, without the indentation that they have in a list. */
export function blocksIn(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))
  return [...blocks].map(([, indent = '', body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** The lines of a script without their comments. A line goes on after a backslash, in quotes and in brackets. */
export function linesOf(script: string): string[] {
  return split(script.replaceAll('\\\n', ' '), /\n/)
}

/** The commands of a script: what stands between ends of lines, `&&`, `;` and `|` that are neither quoted nor nested. */
export function commandsOf(script: string): string[] {
  return linesOf(script).flatMap((line) => split(line, /[;|&]/).map((command) => command.replaceAll(/\s+/g, ' ')))
}

function split(script: string, separator: RegExp): string[] {
  const parts = ['']
  let quote = ''
  let depth = 0
  for (let at = 0; at < script.length; at += 1) {
    const char = script[at] ?? ''
    if (char === '#' && quote === '' && /^$|\s/.test(script[at - 1] ?? '')) {
      while (script[at + 1] !== undefined && script[at + 1] !== '\n') at += 1
      continue
    }
    if (quote !== '') quote = char === quote && script[at - 1] !== '\\' ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (quote === '' && depth === 0 && separator.test(char)) parts.push('')
    else parts.push(`${parts.pop()}${char}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const PROGRAMS = /^(?:[A-Z_]+=\S+ )*(?:npm|npx|licet|node|curl|docker|git|\.ci\/run)(?: |$)/
/** A program that is named, without a word that says what it should do. */
const ONLY_NAMED = /^(npm|npx|licet|node|curl|docker|git)$/

/** Commands in the middle of a sentence. */
export function inlineCommandsIn(text: string): string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  const found = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return found.filter((code) => PROGRAMS.test(code) && !ONLY_NAMED.test(code)).flatMap(commandsOf)
}

/** The commands of licet in the tables of docs/command-line.md, such as `tax-rate set`. */
export function tabledCommandsIn(text: string): string[] {
  const cells = [...text.matchAll(/^\| (`[a-z].*?) \| /gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => `licet ${code}`))
}

/** The command of licet that a command line calls, such as `licet webhooks list`, or the start of some: `licet webhooks`. */
export function licetPathOf(command: string): string | undefined {
  const [, words] = /^(?:[A-Z_]+=\S+ )*(?:npx )?(licet(?: [a-z][a-z-]*)+)(?= |$)/.exec(command) ?? []
  return words
}
