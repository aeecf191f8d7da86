/** No body of the API comes near this depth. */
export const DEPTH_MAX = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/**
 * Is a JSON text nested deeper than allowed? Ask before it is parsed: code that walks through a parsed value usually
 * calls itself, and would run out of stack.
 */
export function isTooDeep(json: string): boolean {
  // Most bodies have few brackets, and searching for those is faster than looking at every character.
  return hasMany(json, '{') || hasMany(json, '[') ? isNestedTooDeep(json) : false
}

function hasMany(json: string, bracket: string): boolean {
  let count = 0
  for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
    count += 1
    if (count > DEPTH_MAX / 2) return true
  }
  return false
}

function isNestedTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth += 1
      if (depth > DEPTH_MAX) return true
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1
  }
  return false
}
