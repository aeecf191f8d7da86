/** No body of the API comes near this depth. */
export const DEPTH_MAX = 64

/** A category with all of its entries, sent back as it was read, has 60,000 attributes. */
export const ATTRIBUTES_MAX = 65_000

/** A shorter text has no room for more: `"":0,` is the shortest attribute. */
const LENGTH_MIN = ATTRIBUTES_MAX * 5

const BACKSLASH = 0x5c
const QUOTE = 0x22
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

export type Excess = 'depth' | 'attributes'

/**
 * The bound that a JSON text exceeds. Ask before it is parsed: code that walks through a parsed value usually calls
 * itself and would run out of stack, and a hundred thousand names of attributes take half a second to parse.
 */
export function findExcess(json: string): Excess | undefined {
  // Most bodies are short and have few brackets, and searching for those is faster than looking at every character.
  return json.length > LENGTH_MIN || hasMany(json, '{') || hasMany(json, '[') ? walk(json) : undefined
}

function hasMany(json: string, bracket: string): boolean {
  let count = 0
  for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
    count += 1
    if (count > DEPTH_MAX / 2) return true
  }
  return false
}

function walk(json: string): Excess | undefined {
  let depth = 0
  let attributes = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else if (code === COLON) {
      attributes += 1
      if (attributes > ATTRIBUTES_MAX) return 'attributes'
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth += 1
      if (depth > DEPTH_MAX) return 'depth'
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1
  }
  return undefined
}

/** The position of the quote that ends the text which begins here; the end of the JSON if none does. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end === -1 ? json.length : end
}

/** A quote is part of its text if the number of backslashes before it is odd. */
function isEscaped(json: string, quote: number): boolean {
  let first = quote
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (quote - first) % 2 === 1
}
