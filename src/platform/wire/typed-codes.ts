/**
 * Codes that people read from paper and type. The alphabet has no characters that look alike (0 and O, 1, I and L) and no
 * U, so that few words appear by chance. The last character checks the others: a typing mistake is noticed without
 * looking the code up.
 */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const SIZE = ALPHABET.length

/** ISO 7064, hybrid system MOD 31,30: it notices every wrong character, and nearly every two that are swapped. */
function checkOf(characters: string): string {
  let carry = SIZE
  for (const character of characters) {
    const sum = (carry + ALPHABET.indexOf(character)) % SIZE || SIZE
    carry = (2 * sum) % (SIZE + 1)
  }
  return ALPHABET.charAt((SIZE + 1 - carry) % SIZE)
}

/** A random code of so many characters, the check included. `randomBelow` returns a whole number below its argument. */
export function makeTypedCode(length: number, randomBelow: (limit: number) => number): string {
  const characters = Array.from({ length: length - 1 }, () => ALPHABET.charAt(randomBelow(SIZE))).join('')
  return characters + checkOf(characters)
}

/** Does the last character fit the others? */
export function isTypedRight(code: string): boolean {
  const inAlphabet = [...code].every((character) => ALPHABET.includes(character))
  return inAlphabet && code.length > 1 && checkOf(code.slice(0, -1)) === code.slice(-1)
}

/** A code as it was typed, without blanks and hyphens, in capitals. */
export function normalizeTypedCode(text: string): string {
  return text.replace(/[\s\u2010-\u2015._-]/gu, '').toUpperCase()
}

/** Groups of characters with hyphens between them. */
export function inGroups(code: string, size: number): string {
  const groups = Array.from({ length: Math.ceil(code.length / size) }, (_, index) =>
    code.slice(index * size, (index + 1) * size),
  )
  return groups.join('-')
}
