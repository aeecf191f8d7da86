/** How texts become words, in what is searched and in searches: both must agree. */

/** Only the beginning of what is longer is searched. */
const LENGTH_MAX = 100_000
/** PostgreSQL refuses words of more than 2,046 bytes. */
const WORD_LENGTH_MAX = 500

const TAGS = /<[a-z!/?][^<>]*>/gi
const ENTITIES = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,31});/gi

/** Letters and digits with their marks, and the joiners that stand inside words of some scripts. Pictures are words too. */
const WORDS = /[\p{L}\p{N}\p{M}\p{Join_Control}\p{Emoji_Presentation}]+/gu
const PLAIN = /[a-z\d]+/g

/**
 * The words of a text that may contain HTML, in their order. `e-book`, `and/or` and `node.js` are two words each, so that they are
 * found by either part and while somebody types.
 */
export function wordsIn(text: string): string[] {
  const bounded = text.slice(0, LENGTH_MAX)
  const bare =
    bounded.includes('<') || bounded.includes('&') ? bounded.replace(TAGS, ' ').replace(ENTITIES, ' ') : bounded
  const words = isPlain(bare) ? bare.toLowerCase().match(PLAIN) : folded(bare).match(WORDS)
  return (words ?? []).filter(({ length }) => length <= WORD_LENGTH_MAX)
}

/** Is everything ASCII? Those texts are split in a third of the time. */
function isPlain(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** The same letter written in several ways: composed or not, in upper case, and the sigma at the end of a word. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}
