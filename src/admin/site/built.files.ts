import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What `npm ci` builds from admin/, and what a release contains. */
const FOLDER = fileURLToPath(new URL('../../../admin/dist/', import.meta.url))

/** Names that the build gives: no path leads out of the folder. */
const NAME = /^[\w-][\w.-]*\.(js|css|woff2)$/

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}

export type BuiltFile = { contentType: string; bytes: Buffer; isText: boolean }

/** The page, before anything is filled in; undefined if the admin interface was not built. */
export async function readPage(): Promise<string | undefined> {
  return (await readBuilt('index.html'))?.toString()
}

/** A script, a stylesheet or a font of the admin interface; undefined if there is none of this name. */
export async function readAsset(name: string): Promise<BuiltFile | undefined> {
  const contentType = name.includes('..') ? undefined : TYPES[NAME.exec(name)?.[1] ?? '']
  const bytes = contentType === undefined ? undefined : await readBuilt(`assets/${name}`)
  if (contentType === undefined || bytes === undefined) return undefined
  return { contentType, bytes, isText: contentType.startsWith('text/') }
}

async function readBuilt(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(`${FOLDER}${path}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
