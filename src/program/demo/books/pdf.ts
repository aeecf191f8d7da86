/** A text with a heading, as a chapter of a book or a lesson. */
export type Section = { title: string; paragraphs: readonly string[] }

const PAGE = { width: 420, height: 595 }
const MARGIN = 56
const TEXT = { size: 11.5, leading: 17 }
const FONTS = { plain: 'F1', bold: 'F2', italic: 'F3' } as const
type Font = keyof typeof FONTS

/** How wide the letters of Times are, in thousandths of its size, from the space to the tilde. */
const WIDTHS = [
  250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500,
  500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889,
  722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500,
  444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480,
  200, 480, 541,
]
const OTHER_WIDTH = 500

/** Where the encoding of PDF differs from Latin-1. */
const PUNCTUATION: Readonly<Record<string, string>> = { '’': '\x92', '“': '\x93', '”': '\x94', '–': '\x96' }

function widthOf(text: string, size: number): number {
  const thousandths = [...text].reduce((sum, letter) => sum + (WIDTHS[letter.charCodeAt(0) - 32] ?? OTHER_WIDTH), 0)
  return (thousandths * size) / 1000
}

function linesOf(text: string, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer, size) > PAGE.width - 2 * MARGIN) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

function draw(text: string, x: number, y: number, size: number, font: Font): string {
  const escaped = text.replace(/[\\()]/g, '\\$&').replace(/[’“”–]/g, (letter) => PUNCTUATION[letter] ?? letter)
  return `BT /${FONTS[font]} ${size} Tf ${x.toFixed(1)} ${y.toFixed(1)} Td (${escaped}) Tj ET`
}

function centred(text: string, y: number, size: number, font: Font): string {
  return draw(text, (PAGE.width - widthOf(text, size)) / 2, y, size, font)
}

/** The pages of a section: its heading, and its paragraphs, of which all but the first are indented. */
function pagesOf({ title, paragraphs }: Section): string[][] {
  const top = PAGE.height - MARGIN
  const pages: string[][] = [[draw(title, MARGIN, top - 36, 18, 'bold')]]
  let y = top - 84
  for (const [at, paragraph] of paragraphs.entries()) {
    const indent = at === 0 ? '' : '    '
    for (const line of linesOf(`${indent}${paragraph}`, TEXT.size)) {
      if (y < MARGIN + TEXT.leading) {
        pages.push([])
        y = top
      }
      pages.at(-1)?.push(draw(line, MARGIN, y, TEXT.size, 'plain'))
      y -= TEXT.leading
    }
  }
  return pages
}

/** A PDF with a title page and its sections, each on a page of its own, with page numbers. */
export function makePdf(book: { title: string; author: string; sections: readonly Section[] }): Buffer {
  const title = [
    ...linesOf(book.title, 26).map((line, at) => centred(line, 400 - 32 * at, 26, 'bold')),
    centred(book.author, 320, 13, 'italic'),
  ]
  const pages = [title, ...book.sections.flatMap(pagesOf)].map((page, at) =>
    at === 0 ? page : [...page, centred(String(at + 1), MARGIN / 2, 9, 'plain')],
  )
  return fileOf(
    pages.map((page) => page.join('\n')),
    book.title,
  )
}

function fileOf(streams: readonly string[], title: string): Buffer {
  const first = 7
  const fonts = ['Times-Roman', 'Times-Bold', 'Times-Italic'].map(
    (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
  )
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    `<< /Type /Pages /Kids [${streams.map((_, at) => `${first + 2 * at} 0 R`).join(' ')}] /Count ${streams.length} >>`,
    ...fonts,
    `<< /Title (${title}) >>`,
    ...streams.flatMap((stream, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >> /Contents ${first + 1 + 2 * at} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(`${text}${table}${end}`, 'latin1')
}
