import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The files that readers consist of. They are read when somebody opens the first book. */
const SCRIPTS: Record<string, string> = {
  'reader.js': new URL('./assets/reader.js', import.meta.url).href,
  'reader.css': new URL('./assets/reader.css', import.meta.url).href,
  'pdf.min.mjs': import.meta.resolve('pdfjs-dist/build/pdf.min.mjs'),
  'pdf.worker.min.mjs': import.meta.resolve('pdfjs-dist/build/pdf.worker.min.mjs'),
}
/** The parts of foliate-js that an EPUB needs. They import each other by these names. */
const FOLIATE = [
  'view',
  'epub',
  'epubcfi',
  'progress',
  'overlayer',
  'text-walker',
  'search',
  'paginator',
  'fixed-layout',
]
for (const name of FOLIATE) SCRIPTS[`${name}.js`] = import.meta.resolve(`foliate-js/${name}.js`)

const PDFJS = new URL('..', import.meta.resolve('pdfjs-dist/build/pdf.min.mjs'))
/** Fonts and tables of characters that a PDF may refer to instead of containing them. */
const TABLE = /^(cmaps|standard_fonts)\/[\w-]{1,60}\.(bcmap|pfb|ttf)$/

const TYPES: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript', mjs: 'text/javascript' }

export type ReaderAsset = { bytes: Buffer; contentType: string }

export type ReaderAssets = {
  /** The part of the address that changes with the files, so that browsers may keep them for ever. */
  version(): Promise<string>
  find(name: string): Promise<ReaderAsset | undefined>
}

export function createReaderAssets(): ReaderAssets {
  const known = new Map<string, Promise<Buffer>>()
  let version: Promise<string> | undefined

  function read(url: string): Promise<Buffer> {
    const before = known.get(url)
    if (before !== undefined) return before
    const bytes = readFile(fileURLToPath(url))
    known.set(url, bytes)
    bytes.catch(() => known.delete(url))
    return bytes
  }

  async function hashAll(): Promise<string> {
    const hashes = await Promise.all(Object.values(SCRIPTS).map(async (url) => hash('sha256', await read(url))))
    return hash('sha256', hashes.join()).slice(0, 16)
  }

  return {
    version() {
      version ??= hashAll()
      return version
    },
    async find(name) {
      const url = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined
      if (url !== undefined) return { bytes: await read(url), contentType: TYPES[name.split('.').at(-1) ?? ''] ?? '' }
      if (!TABLE.test(name)) return undefined
      const bytes = await readFile(new URL(name, PDFJS)).catch(() => undefined)
      return bytes && { bytes, contentType: 'application/octet-stream' }
    },
  }
}
