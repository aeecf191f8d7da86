import type { ImportDeclaration, Node, TaggedTemplateExpression, TemplateLiteral } from 'oxc-parser'
import { calledName, inOneLine, parse, readSources, type Source, textOf, type Violation, walk } from './source.ts'

/**
 * What people read is a message in `locales/`. This finds words that are written where they are shown instead: in views,
 * in mails, in every file with HTML, and in the routes that give texts to views. Words for operators, which go into the
 * log or into an error, stay English.
 */
const SHOWS = /(^|\/)([\w-]+\.)?(views|mails)\.ts$/

/** The command line is in English, and has no views. */
const COMMAND_LINE = 'src/program/command-line/'

/** Attributes whose values are read out or shown. */
const SPOKEN = /(?:^|\s)(?:aria-label|alt|title|placeholder)="$/

/** What a computer reads. */
const CODE = /<code>[^<]*<\/code>/g

const WORD = /\p{L}{2,}/u
/** `Sign in`, `Name`. Names of headers and of codes have no lower-case letters after the first, or a hyphen. */
const SENTENCE = /^\p{Lu}\p{Ll}+(?![\p{L}\d-])/u
/** Two words in a row. A number with its unit is none. */
const PHRASE = /(?<![\p{L}\d."'=-])\p{L}{2,},? \p{L}{2,}/u

const isTag = (node: Node): node is TaggedTemplateExpression =>
  node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'html'

const nameOf = (node: Node) => (node.type === 'Identifier' ? node.name : '')

type Place = 'text' | 'spoken' | 'tag'

/** Where in the markup each expression of a template stands, and the words that the template itself shows. */
function readMarkup({ quasis }: TemplateLiteral): { places: Place[]; shown: string[] } {
  let isInTag = false
  let open = ''
  const places: Place[] = []
  const shown: string[] = []
  for (const { value } of quasis) {
    for (const [part] of value.raw.replaceAll(CODE, '').matchAll(/<style>[\s\S]*?<\/style>|[<>]|[^<>]+/g)) {
      if (part === '<' || part === '>') {
        isInTag = part === '<'
        open = ''
      } else if (isInTag) {
        open += part
        for (const [, words = ''] of part.matchAll(/(?:aria-label|alt|title|placeholder)="([^"]*)/g)) shown.push(words)
      } else if (!part.startsWith('<style>')) shown.push(part.replaceAll(/&\w+;/g, ' '))
    }
    places.push(!isInTag ? 'text' : SPOKEN.test(open) ? 'spoken' : 'tag')
  }
  return { places, shown: shown.filter((words) => WORD.test(words)) }
}

/**
 * Texts of the log, of errors and of the OpenAPI document, keys of objects, values that are compared, and those that have
 * to be words of a type.
 */
function isForProgram(node: Node, around: readonly Node[]): boolean {
  return [...around, node].some((each, index, all) => {
    if (each.type.startsWith('TS') && each.type !== 'TSAsExpression') return true
    if (each.type === 'ImportDeclaration' || each.type === 'BinaryExpression') return true
    if (each.type === 'NewExpression') return calledName(each)?.name === 'Error'
    if (each.type === 'Property') return all[index + 1] === each.key || nameOf(each.key) === 'schema'
    if (each.type !== 'CallExpression') return false
    // Functions that make schemas have capital letters, and queries are given what they look for.
    if (/^([A-Z]|(find|get|read)[A-Z])/.test(calledName(each)?.name ?? '')) return true
    if (each.callee.type !== 'MemberExpression') return false
    const { object } = each.callee
    const owner = object.type === 'MemberExpression' ? object.property : object
    return nameOf(owner) === 'log'
  })
}

/** Is the node part of a tag, such as its class? Then nobody reads it. */
function isInsideTag(node: Node, around: readonly Node[], places: ReadonlyMap<Node, Place>): boolean {
  return [...around, node].some((each) => places.get(each) === 'tag')
}

/** The words of one file that are shown to people, each with its line. */
function wordsIn(source: Source): { line: number; words: string }[] {
  const { program, lineOf } = parse(source)
  const imports = program.body.filter((node): node is ImportDeclaration => node.type === 'ImportDeclaration')
  const imported = imports.map((node) => textOf(node.source) ?? '')
  const shows = SHOWS.test(source.path) && !source.path.startsWith(COMMAND_LINE)
  const gives = imported.some((path) => /(^|\/)([\w-]+\.)?views\.ts$/.test(path))
  if (!shows && !gives && !imported.includes('ghtml')) return []
  const found: { line: number; words: string }[] = []
  const places = new Map<Node, Place>()
  const isShown = (words: string) => SENTENCE.test(words) || (shows && PHRASE.test(words))
  walk(program, (node, around) => {
    if (isTag(node)) {
      const markup = readMarkup(node.quasi)
      for (const [index, expression] of node.quasi.expressions.entries())
        places.set(expression, markup.places[index] ?? 'text')
      for (const words of markup.shown) found.push({ line: lineOf(node), words })
    }
    if (!shows && !gives) return
    const text = textOf(node)
    const parent = around.at(-1)
    const whole =
      text === undefined && node.type === 'TemplateLiteral' && !(parent !== undefined && isTag(parent))
        ? node.quasis.map(({ value }) => value.raw).join('…')
        : text
    if (whole === undefined || !isShown(whole.replaceAll(CODE, ''))) return
    if (!isForProgram(node, around) && !isInsideTag(node, around, places))
      found.push({ line: lineOf(node), words: whole })
  })
  return found
}

export function checkWords(sources: readonly Source[]): string[] {
  const violations = sources.flatMap((source) =>
    wordsIn(source).map(
      ({ line, words }): Violation => ({
        path: source.path,
        line,
        message: `"${words.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}" is read by people: make it a message in locales/, and say it with t`,
      }),
    ),
  )
  return violations.map(inOneLine)
}

export async function checkWordsOfProject(): Promise<string[]> {
  const sources = await readSources(['src/**/*.ts'])
  return checkWords(sources.filter(({ path }) => !/\.(test|gen)\.ts$/.test(path)))
}
