import { randomBytes, randomUUID } from 'node:crypto'
import {
  beginText,
  concatTransformationMatrix,
  drawObject,
  endText,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  PDFPageTree,
  type PDFRef,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  setFillingColor,
  setFontAndSize,
} from '@cantoo/pdf-lib'
import { createLineFont } from '#pdf-text/fonts.ts'
import { PDF_DAMAGED, PDF_NEEDS_PASSWORD, PDF_TOO_MANY_PAGES, Unstampable } from './refusals.facts.ts'
import { type Stamp, stampLine, stampText } from './rules.ts'

/** Everything that parses PDFs from outside. It runs in a process of its own; see stamper.process.ts. */

const FONT_SIZE = 7
const MARGIN = 10
const GREY = rgb(0.45, 0.45, 0.45)

const AS_IT_IS = { updateMetadata: false, preserveXFA: true } as const

/** Adds a small line at the foot of each page and a note in the metadata. Everything else stays as it is. */
export async function stampPdf(source: Uint8Array, stamp: Stamp): Promise<Uint8Array> {
  if (!hasEnd(source)) throw new Unstampable(PDF_DAMAGED)
  try {
    const original = await PDFDocument.load(source, { ...AS_IT_IS, ignoreEncryption: true })
    const pdf = original.isEncrypted ? await decrypted(source, original) : original
    await addLines(pdf, stamp)
    addNote(pdf, stampText(stamp))
    if (original.isEncrypted)
      pdf.encrypt({ ownerPassword: randomUUID(), userPassword: '', permissions: permissionsOf(original) })
    // The library encrypts texts only inside of object streams.
    const useObjectStreams = original.isEncrypted ? { useObjectStreams: true } : {}
    return await pdf.save({ ...useObjectStreams, updateFieldAppearances: false, addDefaultPage: false })
  } catch (error) {
    throw inWords(error)
  }
}

const END_BYTES = 4096

/** The library would repair a file that was cut by leaving out the pages that are missing. */
function hasEnd(source: Uint8Array): boolean {
  return Buffer.from(source.buffer, source.byteOffset, source.length).subarray(-END_BYTES).includes('%%EOF')
}

/**
 * A PDF that is encrypted without a password, in order to forbid printing or copying. The library loses the trailer of
 * the file when it decrypts it, and leaves old parts of its structure behind, which would contradict the new ones.
 */
async function decrypted(source: Uint8Array, { context: { trailerInfo } }: PDFDocument): Promise<PDFDocument> {
  const pdf = await PDFDocument.load(source, { ...AS_IT_IS, password: '' })
  const { Root, Info, Encrypt } = trailerInfo
  Object.assign(pdf.context.trailerInfo, { Root, Info })
  for (const [ref, object] of pdf.context.enumerateIndirectObjects())
    if (ref === Encrypt || isStructure(object)) pdf.context.delete(ref)
  return pdf
}

function isStructure(object: PDFObject): boolean {
  if (!(object instanceof PDFStream)) return false
  const type = object.dict.get(PDFName.of('Type'))
  return type === PDFName.of('XRef') || type === PDFName.of('ObjStm')
}

const PAGES_MAX = 50_000

/**
 * The library follows every reference between pages, and a few of them that lead to the same place twice, or in a circle,
 * make more pages than any memory can hold.
 */
function assertFewPages({ catalog, context }: PDFDocument): void {
  const trees = [catalog.Pages()]
  let found = 0
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    const kids = tree.Kids().asArray()
    found += kids.length
    if (found > PAGES_MAX) throw new Unstampable(PDF_TOO_MANY_PAGES)
    for (const kid of kids) {
      const node = context.lookup(kid)
      if (node instanceof PDFPageTree) trees.push(node)
    }
  }
}

async function addLines(pdf: PDFDocument, stamp: Stamp): Promise<void> {
  assertFewPages(pdf)
  const pages = pdf.getPages()
  if (pages.length === 0) throw new Unstampable(PDF_DAMAGED)
  const { ref, width } = await createLine(pdf, stamp)
  // A new name each time, because the file may have been stamped before. Pages that share their resources share it.
  const name = PDFName.of(`Stamp-${randomBytes(4).toString('hex')}`)
  for (const page of pages) {
    const view = viewOf(page)
    const scale = Math.min(1, Math.max(1 / FONT_SIZE, (view.width - 2 * MARGIN) / width))
    const { x, y } = view.place((view.width - width * scale) / 2, MARGIN)
    const [along, across] = DIRECTIONS[view.turned]
    page.node.setXObject(name, ref)
    page.pushOperators(
      // Marked as an artifact, so that screen readers do not read it on every page.
      PDFOperator.of(PDFOperatorNames.BeginMarkedContent, [PDFName.of('Artifact')]),
      pushGraphicsState(),
      concatTransformationMatrix(scale * along, scale * across, -scale * across, scale * along, x, y),
      drawObject(name),
      popGraphicsState(),
      PDFOperator.of(PDFOperatorNames.EndMarkedContent),
    )
  }
}

/** Ideographs are drawn in the way of the country, and the language is what is known of the buyer. */
const COUNTRIES: Record<string, string> = { ja: 'JP', ko: 'KR' }

/** The line as an object that all pages draw, so that their number hardly matters. */
async function createLine(pdf: PDFDocument, stamp: Stamp): Promise<{ ref: PDFRef; width: number }> {
  const { context } = pdf
  const font = await createLineFont(pdf, `${stampText(stamp)} ${stamp.email}`, COUNTRIES[stamp.language] ?? '')
  const line = stampLine(stamp, font.has)
  const width = font.widthOf(line, FONT_SIZE)
  const operators = [
    beginText(),
    setFillingColor(GREY),
    setFontAndSize('Text', FONT_SIZE),
    ...font.show(line, FONT_SIZE),
    endText(),
  ]
  font.finish()
  const form = context.formXObject(operators, {
    BBox: [-FONT_SIZE, -FONT_SIZE, width + FONT_SIZE, 2 * FONT_SIZE],
    Resources: { Font: { Text: font.ref } },
  })
  return { ref: context.register(form), width }
}

type Turned = 0 | 90 | 180 | 270

/** The cosine and the sine, exactly. */
const DIRECTIONS: Record<Turned, [along: number, across: number]> = {
  0: [1, 0],
  90: [0, 1],
  180: [-1, 0],
  270: [0, -1],
}

type View = {
  width: number
  /** The direction of a line that readers see upright. */
  turned: Turned
  /** The place on the page that readers see so far from the left and from the bottom. */
  place(fromLeft: number, fromBottom: number): { x: number; y: number }
}

/** What readers see of a page: its crop box, turned clockwise by its rotation. */
function viewOf(page: PDFPage): View {
  const { x, y, width, height } = page.getCropBox()
  const turned = ((page.getRotation().angle % 360) + 360) % 360
  if (turned === 90) return { width: height, turned, place: (left, bottom) => ({ x: x + width - bottom, y: y + left }) }
  if (turned === 180)
    return { width, turned, place: (left, bottom) => ({ x: x + width - left, y: y + height - bottom }) }
  if (turned === 270)
    return { width: height, turned, place: (left, bottom) => ({ x: x + bottom, y: y + height - left }) }
  return { width, turned: 0, place: (left, bottom) => ({ x: x + left, y: y + bottom }) }
}

/** An entry of its own in the document information, so that title and author stay those of the book. */
function addNote({ context }: PDFDocument, text: string): void {
  const existing = context.lookup(context.trailerInfo.Info)
  const info = existing instanceof PDFDict ? existing : context.obj({})
  if (info !== existing) context.trailerInfo.Info = context.register(info)
  info.set(PDFName.of('LicensedTo'), PDFHexString.fromText(text))
}

/** The bits of the permissions, in the table of the PDF standard (ISO 32000-1, table 22). */
const BITS = {
  printing: 3,
  modifying: 4,
  copying: 5,
  annotating: 6,
  fillingForms: 9,
  contentAccessibility: 10,
  documentAssembly: 11,
} as const
const HIGH_RESOLUTION_BIT = 12

function permissionsOf({ context }: PDFDocument) {
  const encryption = context.lookup(context.trailerInfo.Encrypt)
  const flags = encryption instanceof PDFDict ? encryption.lookup(PDFName.of('P')) : undefined
  const bits = flags instanceof PDFNumber ? flags.asNumber() : 0
  const has = (bit: number) => ((bits >> (bit - 1)) & 1) === 1
  return {
    printing: has(BITS.printing) ? (has(HIGH_RESOLUTION_BIT) ? 'highResolution' : 'lowResolution') : false,
    modifying: has(BITS.modifying),
    copying: has(BITS.copying),
    annotating: has(BITS.annotating),
    fillingForms: has(BITS.fillingForms),
    contentAccessibility: has(BITS.contentAccessibility),
    documentAssembly: has(BITS.documentAssembly),
  } as const
}

/** The library throws many kinds of errors for files that it cannot read, of which the password is one. */
function inWords(error: unknown): Unstampable {
  if (error instanceof Unstampable) return error
  const isPassword = error instanceof Error && /password/i.test(error.message)
  return new Unstampable(isPassword ? PDF_NEEDS_PASSWORD : PDF_DAMAGED, { cause: error })
}
