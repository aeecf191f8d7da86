import { inflateSync } from 'node:zlib'

/** The texts of a PDF that pdf-lib has written, in the order in which they are drawn. */
export function textsOf(pdf: Buffer): string[] {
  const texts: string[] = []
  let at = 0
  for (;;) {
    const start = pdf.indexOf('stream\n', at)
    if (start === -1) return texts
    const end = pdf.indexOf('\nendstream', start)
    const content = inflated(pdf.subarray(start + 'stream\n'.length, end))
    for (const [, hex = ''] of content.matchAll(/<([0-9A-Fa-f]+)> Tj/g))
      texts.push(new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
    at = end + '\nendstream'.length
  }
}

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1')
  } catch {
    return bytes.toString('latin1')
  }
}
