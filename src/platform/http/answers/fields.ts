import { asciiJson } from '../../wire/times.ts'

/** The names that a caller requests with `fields`, as documents spell them, and their lengths. */
export type AskedFields = { names: ReadonlySet<string>; lengths: ReadonlySet<number> }

/** Undefined means all. */
export function askedFields(fields: string | undefined): AskedFields | undefined {
  if (fields === undefined) return undefined
  const asked = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (asked.length === 0) return undefined
  const names = new Set(asked.map((name) => asciiJson(name).slice(1, -1)))
  return { names, lengths: new Set([...names].map((name) => name.length)) }
}

/**
 * Cuts a document down to the requested fields, in the document's order. The text is cut and not parsed: that costs a
 * tenth, and the cut ends at the last requested field. It relies on documents being JSON without blanks.
 */
export function onlyFields(document: string, asked: AskedFields | undefined): string {
  if (asked === undefined) return document
  const { names, lengths } = asked
  let found = ''
  let left = names.size
  let at = 1
  while (left > 0 && document[at] === '"') {
    const nameEnd = endOfString(document, at)
    const valueEnd = endOfValue(document, nameEnd + 1)
    // Most names are not requested, and the length excludes most of those without a copy of the name.
    if (lengths.has(nameEnd - at - 2) && names.has(document.slice(at + 1, nameEnd - 1))) {
      found += `${found === '' ? '' : ','}${document.slice(at, valueEnd)}`
      left -= 1
    }
    at = valueEnd + 1
  }
  return `{${found}}`
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const BEHIND_STRINGS = new Set([COMMA, COLON, CLOSING_BRACKET, CLOSING_BRACE])

/** The position after the string that begins here. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end < 0) throw new SyntaxError('a stored document has a string without an end')
  return end + 1
}

/** A quote is part of its string if the number of backslashes before it is odd. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (quote - first) % 2 === 1
}

/** The position of the comma or brace after the value that begins here. */
function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === QUOTE) return endOfString(text, start)
  if (code === OPENING_BRACKET) return endOfFlat(text, start, '[', '],"') ?? endOfNested(text, start)
  if (code === OPENING_BRACE) return endOfFlat(text, start, '{', '},"') ?? endOfNested(text, start)
  const comma = text.indexOf(',', start)
  return comma < 0 ? text.length - 1 : comma
}

/**
 * The end of an array without arrays in it, or of an object without objects, if another member follows: two searches
 * find it, however long it is. A comma followed by a quote is within no string, unless the quote ends the string, which
 * the next character tells. Undefined: it has to be walked through.
 */
function endOfFlat(text: string, start: number, opening: '[' | '{', closing: string): number | undefined {
  const end = text.indexOf(closing, start)
  if (end < 0) return undefined
  const inner = text.indexOf(opening, start + 1)
  if (inner >= 0 && inner < end) return undefined
  return BEHIND_STRINGS.has(text.charCodeAt(end + closing.length)) ? undefined : end + 1
}

/** Walks through an array or object to its end. */
function endOfNested(text: string, start: number): number {
  let at = start
  let depth = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      continue
    }
    if (code === OPENING_BRACE || code === OPENING_BRACKET) depth += 1
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1
    at += 1
    if (depth === 0) return at
  }
  throw new SyntaxError('a stored document has a value without an end')
}
