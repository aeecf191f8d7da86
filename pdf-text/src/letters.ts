const CYRILLIC =
  'а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ . ы y ь . э e ю yu я ya і i ї yi є ye ґ g ј j љ lj њ nj ћ c ђ dj џ dz'
const GREEK = 'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
const LATIN = 'ł l đ d ħ h ı i ŋ n œ oe ŧ t ə e'

/** Letters that the fonts of every PDF reader lack, as they are written in Latin ones. A point stands for nothing. */
const LETTERS = new Map(
  [CYRILLIC, GREEK, LATIN].flatMap((table) => {
    const parts = table.split(' ')
    return Array.from({ length: parts.length / 2 }, (_, index): [string, string] => {
      const latin = parts[2 * index + 1] ?? ''
      return [parts[2 * index] ?? '', latin === '.' ? '' : latin]
    })
  }),
)

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** One letter in the letters that a font has: without its marks, or in Latin ones. A question mark if there is no way. */
function inLetters(letter: string, has: (letter: string) => boolean): string {
  if (has(letter)) return letter
  const [base = ''] = letter.normalize('NFKD')
  if (base !== letter && has(base)) return base
  const lower = (LETTERS.has(letter.toLowerCase()) ? letter : base).toLowerCase()
  const latin = LETTERS.get(lower)
  if (latin === undefined) return /\p{M}|\p{Cc}|\p{Cf}/u.test(letter) ? '' : '?'
  return letter === letter.toLowerCase() ? latin : capital(latin)
}

/** Characters that turn the text after them around. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu

export function withoutDirections(text: string): string {
  return text.replace(DIRECTIONS, '')
}

/** A text in the letters that a font has. */
export function inLettersOf(text: string, has: (letter: string) => boolean): string {
  return [...withoutDirections(text).normalize('NFC')].map((letter) => inLetters(letter, has)).join('')
}
