import { randomUUID } from 'node:crypto'
import {
  degrees,
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
  PDFStream,
  rgb,
  StandardFonts,
} from '@cantoo/pdf-lib'
import { PDF_DAMAGED, PDF_NEEDS_PASSWORD, PDF_TOO_MANY_PAGES, Unstampable } from './refusals.ts'
import { type Stamp, stampLine, stampText } from './rules.ts'

/** Everything that parses PDFs from outside. It runs in a process of its own; see stamper-process.ts. */

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
    addLines(pdf, stampLine(stamp))
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

function addLines(pdf: PDFDocument, line: string): void {
  assertFewPages(pdf)
  const pages = pdf.getPages()
  if (pages.length === 0) throw new Unstampable(PDF_DAMAGED)
  const font = pdf.embedStandardFont(StandardFonts.Helvetica)
  const widthAtOne = font.widthOfTextAtSize(line, 1)
  for (const page of pages) {
    const view = viewOf(page)
    const size = Math.min(FONT_SIZE, Math.max(1, (view.width - 2 * MARGIN) / widthAtOne))
    const place = view.place((view.width - widthAtOne * size) / 2, MARGIN)
    // Marked as an artifact, so that screen readers do not read it on every page.
    page.pushOperators(PDFOperator.of(PDFOperatorNames.BeginMarkedContent, [PDFName.of('Artifact')]))
    page.drawText(line, { ...place, size, font, color: GREY, rotate: degrees(view.turned) })
    page.pushOperators(PDFOperator.of(PDFOperatorNames.EndMarkedContent))
  }
}

type View = {
  width: number
  /** The direction of a line that readers see upright. */
  turned: number
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
