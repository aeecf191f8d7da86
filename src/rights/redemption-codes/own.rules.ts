import { validationFailed } from '#platform/errors/problem.ts'
import { normalizeTypedCode } from '#platform/wire/typed-codes.ts'
import { ownCodeTooShort, ownCodeTooSimple, ownCodeUnreadable } from './errors.ts'

/** Characters without hyphens. Guesses are limited, so that nobody finds codes of this length; digits are fewer than letters. */
const LENGTH_MIN = 8
const DIGITS_MIN = 10
const LENGTH_MAX = 40
const DIFFERENT_MIN = 4

const PRINTED = /^[A-Za-z0-9][A-Za-z0-9 -]*$/

/** A code that was printed elsewhere, as it is, and the form by which it is found. Throws if it cannot be used. */
export function readOwnCode(text: string): { code: string; typed: string } {
  const code = text.trim()
  const typed = normalizeTypedCode(code)
  if (!PRINTED.test(code) || typed.length > LENGTH_MAX) throw validationFailed('code', ownCodeUnreadable(LENGTH_MAX))
  if (typed.length < (/^\d+$/.test(typed) ? DIGITS_MIN : LENGTH_MIN))
    throw validationFailed('code', ownCodeTooShort({ letters: LENGTH_MIN, digits: DIGITS_MIN }))
  if (new Set(typed).size < DIFFERENT_MIN || isCountedUp(typed)) throw validationFailed('code', ownCodeTooSimple())
  return { code, typed }
}

/** Does each character follow the one before, as in 1234567890 and ABCDEFGH? */
function isCountedUp(typed: string): boolean {
  const steps = Array.from(typed.slice(1), (character, index) => character.charCodeAt(0) - typed.charCodeAt(index))
  return steps.every((step) => step === 1 || step === -9)
}

/** Is a code the next number after another one? Whoever has one of them can guess the others. */
export function isNextAfter(before: string, typed: string): boolean {
  const [one, other] = [before, typed].map((text) => /\d{1,9}$/.exec(text)?.[0] ?? '')
  if (!one || !other || before.slice(0, -one.length) !== typed.slice(0, -other.length)) return false
  return Number(other) - Number(one) === 1
}
