/** Scripts that are written without spaces between the words. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Closing punctuation and signs that lengthen a sound do not begin a line. */
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}ー々ゝヽ]/u

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const segmentsOf = (segmenter: Intl.Segmenter, text: string) =>
  Array.from(segmenter.segment(text), ({ segment }) => segment)

/** The parts of a text between which a line may end. Those after a space begin with it. */
function piecesOf(text: string): string[] {
  return text.split(/(?=\s)/).flatMap((word) => {
    if (!WITHOUT_SPACES.test(word)) return [word]
    const pieces: string[] = []
    for (const part of segmentsOf(words, word)) {
      const before = pieces.at(-1)
      const belongs = before !== undefined && (NEVER_FIRST.test(part) || /^[\s\p{Ps}\p{Pi}]+$/u.test(before))
      if (belongs) pieces[pieces.length - 1] = before + part
      else pieces.push(part)
    }
    return pieces
  })
}

/**
 * The lines of a text that fit a width. Words that are longer than a line are cut between characters. Each piece is measured
 * once and alone, because measuring the line again with each piece takes most of the time of a long text.
 */
export function wrapped(text: string, width: number, widthOf: (piece: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let left = width
  const add = (piece: string): boolean => {
    const added = line === '' ? piece.trimStart() : piece
    if (line === '') left = width
    const taken = widthOf(added)
    if (taken > left) return false
    left -= taken
    line += added
    return true
  }
  for (const piece of piecesOf(text.replace(/\s+/g, ' ').trim())) {
    if (add(piece)) continue
    if (line !== '') lines.push(line)
    line = ''
    if (add(piece)) continue
    for (const character of segmentsOf(characters, piece.trimStart())) {
      if (add(character)) continue
      if (line !== '') lines.push(line)
      line = ''
      // Something is on every line, however wide it is.
      if (!add(character)) line = character
    }
  }
  return [...lines, line]
}
