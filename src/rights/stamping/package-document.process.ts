import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { languageOf } from '#platform/text/messages.ts'
import { EPUB_DAMAGED, EPUB_NOT_UTF8, EPUB_WITHOUT_ORDER, Unstampable } from './refusals.facts.ts'
import { type Stamp, stampText, stampTitle } from './rules.ts'

const PACKAGE_NAMESPACE = 'http://www.idpf.org/2007/opf'
const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/'
const PACKAGE_TYPE = 'application/oebps-package+xml'

/** An XML file as text. EPUB allows UTF-16 too, which no tool writes. */
export function decodeXml(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unstampable(EPUB_NOT_UTF8)
  }
  if (/^\uFEFF?<\?xml[^>]{0,200}encoding\s*=\s*["'](?!utf-8["'])/i.test(text)) throw new Unstampable(EPUB_NOT_UTF8)
  return text
}

/** Reads XML strictly: the parser reports the first error, and expands no entities but those of XML itself. */
export function parseXml(text: string, listen: (parser: SaxesParser<{ xmlns: true }>) => void): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw new Unstampable(EPUB_DAMAGED, { cause: error })
  })
  listen(parser)
  parser.write(text).close()
}

/** The path of the package document, by META-INF/container.xml. */
export function packagePathOf(container: string): string {
  let path: string | undefined
  parseXml(container, (parser) =>
    parser.on('opentag', ({ local, attributes }) => {
      if (local === 'rootfile' && attributes['media-type']?.value === PACKAGE_TYPE)
        path ??= attributes['full-path']?.value
    }),
  )
  if (path === undefined) throw new Unstampable(EPUB_DAMAGED)
  return path
}

/** The files of the chapters in the order in which they are read; undefined for one that the package does not list. */
export function chapterPathsOf(text: string, packagePath: string): (string | undefined)[] {
  const paths = new Map<string, string>()
  const chapters: string[] = []
  parseXml(text, (parser) =>
    parser.on('opentag', ({ local, uri, attributes }) => {
      if (uri !== PACKAGE_NAMESPACE) return
      const { id, href, idref } = attributes
      if (local === 'item' && id !== undefined && href !== undefined) paths.set(id.value, href.value)
      if (local === 'itemref' && idref !== undefined) chapters.push(idref.value)
    }),
  )
  return chapters.map((id) => pathOf(paths.get(id), packagePath))
}

/** Addresses in a package are percent-encoded and relative to it. */
export function pathOf(href: string | undefined, packagePath: string): string | undefined {
  if (href === undefined) return undefined
  try {
    return posix.join(posix.dirname(packagePath), decodeURIComponent(href.split('#')[0] ?? ''))
  } catch {
    return undefined
  }
}

/** The places in a package document where the stamp is added: before the end of each of these elements. */
type Found = {
  ends: Partial<Record<'metadata' | 'manifest' | 'spine', number>>
  /** The prefix of the package's elements, with its colon. */
  prefix: string
  ids: Set<string>
  chapters: number
  isFixedLayout: boolean
}

function findPlaces(text: string): Found {
  const found: Found = { ends: {}, prefix: '', ids: new Set(), chapters: 0, isFixedLayout: false }
  parseXml(text, (parser) => {
    parser.on('opentag', ({ local, uri, prefix, attributes }) => {
      const id = attributes.id?.value
      if (id !== undefined) found.ids.add(id)
      if (uri !== PACKAGE_NAMESPACE) return
      if (local === 'package') found.prefix = prefix === '' ? '' : `${prefix}:`
      if (local === 'itemref') found.chapters += 1
    })
    parser.on('text', (value) => {
      if (value.trim() === 'pre-paginated') found.isFixedLayout = true
    })
    parser.on('closetag', ({ local, uri, isSelfClosing }) => {
      if (uri !== PACKAGE_NAMESPACE || isSelfClosing) return
      if (local === 'metadata' || local === 'manifest' || local === 'spine')
        found.ends[local] ??= text.lastIndexOf('</', parser.position - 1)
    })
  })
  return found
}

export type StampedPackage = { text: string; pagePath: string; page: string }

/**
 * Adds a page at the end of the reading order and a line in the metadata. All other text stays as it is, letter by letter.
 */
export function stampPackage(
  text: string,
  packagePath: string,
  stamp: Stamp,
  isTaken: (path: string) => boolean,
): StampedPackage {
  const { ends, prefix, ids, chapters, isFixedLayout } = findPlaces(text)
  const { metadata, manifest, spine } = ends
  if (metadata === undefined || manifest === undefined) throw new Unstampable(EPUB_DAMAGED)
  if (spine === undefined || chapters === 0) throw new Unstampable(EPUB_WITHOUT_ORDER)
  const folder = posix.dirname(packagePath)
  const name = firstFree(
    (number) => `licet-stamp${number}`,
    (free) => !ids.has(free) && !isTaken(pathIn(folder, free)),
  )
  // The page flows also in a book whose pages have a fixed size.
  const layout = isFixedLayout ? ' properties="rendition:layout-reflowable"' : ''
  const additions: [number, string][] = [
    [metadata, `<dc:rights xmlns:dc="${DUBLIN_CORE}">${escapeXml(stampText(stamp))}</dc:rights>\n`],
    [manifest, `<${prefix}item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>\n`],
    [spine, `<${prefix}itemref idref="${name}"${layout}/>\n`],
  ]
  return { text: insertAll(text, additions), pagePath: pathIn(folder, name), page: pageOf(stamp) }
}

const pathIn = (folder: string, name: string) => posix.join(folder, `${name}.xhtml`)

function firstFree(nameOf: (number: string) => string, isFree: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const name = nameOf(number === 1 ? '' : `-${number}`)
    if (isFree(name)) return name
  }
}

/** From the last to the first, so that the places before stay where they are. */
function insertAll(text: string, additions: [number, string][]): string {
  return additions
    .toSorted(([one], [other]) => other - one)
    .reduce((result, [at, added]) => result.slice(0, at) + added + result.slice(at), text)
}

/** Valid in EPUB 2 and 3. */
function pageOf(stamp: Stamp): string {
  const language = languageOf(stamp.language)
  const title = escapeXml(stampTitle(stamp))
  return `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="${language}">
<head><title>${title}</title></head>
<body><p><small>${escapeXml(stampText(stamp))}</small></p></body>
</html>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
