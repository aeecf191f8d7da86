import { makeZip } from '#program/demo/archive.ts'

/** A page of a book with enough text for several screens, and a script that must never run. */
function chapter(number: number): string {
  const text = `<p>Paragraph of chapter ${number}.</p>`.repeat(60)
  const script = '<script>document.title = "A script ran"</script>'
  return `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Chapter ${number}</title></head><body><h1>Chapter ${number}</h1>${text}${script}</body></html>`
}

/** An EPUB of three chapters. */
export function anEpub(): Buffer {
  const numbers = [1, 2, 3]
  const each = (part: (number: number) => string) => numbers.map(part).join('')
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'book.opf': `<?xml version="1.0" encoding="UTF-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:5d0f4b8e-0c2b-4f6c-9c1c-0a7c1f1f0002</dc:identifier><dc:title>Tern Island</dc:title><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${each((n) => `<item id="c${n}" href="c${n}.xhtml" media-type="application/xhtml+xml"/>`)}</manifest><spine>${each((n) => `<itemref idref="c${n}"/>`)}</spine></package>`,
    'nav.xhtml': `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head><body><nav epub:type="toc"><ol>${each((n) => `<li><a href="c${n}.xhtml">Chapter ${n}</a></li>`)}</ol></nav></body></html>`,
    ...Object.fromEntries(numbers.map((n) => [`c${n}.xhtml`, chapter(n)])),
  })
}

/** A PDF with a number of pages. */
export async function aPdf(pages: number): Promise<Buffer> {
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const document = await PDFDocument.create()
  for (let number = 1; number <= pages; number += 1)
    document.addPage([400, 600]).drawText(`Page ${number}`, { x: 40, y: 500, size: 40 })
  return Buffer.from(await document.save())
}
