import { readFile } from 'node:fs/promises'

/** The weights of the fonts: Inter has a file for each, and the others are drawn with any. */
export const WEIGHTS = { plain: 400, bold: 600 }

export type Weight = keyof typeof WEIGHTS

const INTER: Record<Weight, string> = { plain: 'Inter-Regular', bold: 'Inter-SemiBold' }

export async function readInter(weight: Weight): Promise<Uint8Array> {
  return readFile(new URL(`./fonts/${INTER[weight]}.ttf`, import.meta.url))
}

/** The families that have one script, and its letters. */
const SCRIPTS = {
  arabic: /\p{Script=Arabic}/u,
  armenian: /\p{Script=Armenian}/u,
  bengali: /\p{Script=Bengali}/u,
  devanagari: /\p{Script=Devanagari}/u,
  ethiopic: /\p{Script=Ethiopic}/u,
  georgian: /\p{Script=Georgian}/u,
  gujarati: /\p{Script=Gujarati}/u,
  gurmukhi: /\p{Script=Gurmukhi}/u,
  hebrew: /\p{Script=Hebrew}/u,
  kannada: /\p{Script=Kannada}/u,
  khmer: /\p{Script=Khmer}/u,
  lao: /\p{Script=Lao}/u,
  malayalam: /\p{Script=Malayalam}/u,
  myanmar: /\p{Script=Myanmar}/u,
  sinhala: /\p{Script=Sinhala}/u,
  tamil: /\p{Script=Tamil}/u,
  telugu: /\p{Script=Telugu}/u,
  thai: /\p{Script=Thai}/u,
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u

/**
 * The families that are asked for letters, one after another. Chinese, Japanese and Korean share ideographs that each
 * draws in its own way, so the family of the reader comes first, and the others have the rare ones that it lacks.
 */
export function familiesFor(text: string, country: string): string[] {
  const families = Object.entries(SCRIPTS).flatMap(([family, letters]) => (letters.test(text) ? [family] : []))
  if (country === 'JP' || KANA.test(text)) return [...families, 'jp', 'sc', 'kr']
  if (country === 'KR' || HANGUL.test(text)) return [...families, 'kr', 'jp', 'sc']
  return [...families, 'sc', 'jp', 'kr']
}

const pathOf = (family: string, file: string) =>
  new URL(import.meta.resolve(`@fontsource-variable/noto-sans-${family}/${file}`))

/** Does a list such as `U+600-6ff,U+750` name one of the letters, which are sorted? */
function namesSome(list: string, letters: readonly number[]): boolean {
  return list.split(',').some((range) => {
    const [first = '', last = first] = range.slice('U+'.length).split('-')
    const next = letters[placeOf(letters, Number.parseInt(first, 16))]
    return next !== undefined && next <= Number.parseInt(last, 16)
  })
}

/** Where the first of some sorted values is that is not below another one. */
function placeOf(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? value) < value) from = middle + 1
    else to = middle
  }
  return from
}

/** The names of the files of a family that say that they have some of the letters. Each has a hundred letters or a script. */
export async function findFilesWith(family: string, letters: readonly number[]): Promise<string[]> {
  const index: Record<string, string> = JSON.parse(await readFile(pathOf(family, 'unicode.json'), 'utf8'))
  const sorted = letters.toSorted((one, other) => one - other)
  return Object.entries(index)
    .filter(([, list]) => namesSome(list, sorted))
    .map(([name]) => name.replace(/[[\]]/g, ''))
}

/** A file of a family as a TrueType font. */
export async function readFontFile(family: string, name: string): Promise<Uint8Array> {
  // Loaded with the first document that needs it.
  const { default: decompress } = await import('woff2-encoder/decompress')
  return decompress(await readFile(pathOf(family, `files/noto-sans-${family}-${name}-wght-normal.woff2`)))
}
