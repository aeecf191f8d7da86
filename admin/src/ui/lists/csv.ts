/** The sign that parts the fields of a file: spreadsheets of many countries write semicolons. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const counts = [';', '\t', ','].map((sign) => ({ sign, count: first.split(sign).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

/** The lines of a file that a spreadsheet has written (RFC 4180), without those that are empty. */
export function readCsv(text: string): string[][] {
  const separator = separatorOf(text)
  const lines: string[][] = []
  let line: string[] = []
  let field = ''
  let isQuoted = false
  const endField = () => {
    line.push(field.trim())
    field = ''
  }
  const endLine = () => {
    endField()
    if (line.some((each) => each !== '')) lines.push(line)
    line = []
  }
  // A file of Excel begins with a mark that is no part of its text.
  const signs = [
    ...text
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n')
      .replaceAll('\r', '\n'),
  ]
  for (let place = 0; place < signs.length; place += 1) {
    const sign = signs[place] ?? ''
    if (isQuoted && sign === '"' && signs[place + 1] === '"') {
      field += '"'
      place += 1
    } else if (sign === '"' && (isQuoted || field.trim() === '')) isQuoted = !isQuoted
    else if (isQuoted) field += sign
    else if (sign === separator) endField()
    else if (sign === '\n') endLine()
    else field += sign
  }
  endLine()
  return lines
}
