import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Report } from './check-migrations.ts'
import { ROOT, readSources, type Source } from './source.ts'

const GZIP_BYTES_MAX = 200 * 1024

const HOME = 'home/home.tsx'
const SCREENS = `${ROOT}admin/src/`

type Built = {
  type: 'chunk' | 'asset'
  fileName: string
  code?: string
  source?: string | Uint8Array
  moduleIds?: string[]
  imports?: string[]
}

/** What a browser loads before the first screen: the files that the page names, without fonts. */
export function firstLoad(files: readonly Built[]): Built[] {
  const page = files.find(({ fileName }) => fileName === 'index.html')
  const html = String(page?.source ?? '')
  return files.filter(({ fileName }) => /\.(js|css)$/.test(fileName) && html.includes(fileName))
}

function gzipped({ code, source }: Built): number {
  return gzipSync(code ?? source ?? '', { level: 9 }).length
}

/** Our own modules of the first screen and its frame. */
function firstModules(files: readonly Built[], first: readonly Built[]): string[] {
  const home = files.find(({ moduleIds = [] }) => moduleIds.includes(`${SCREENS}${HOME}`))
  const ofHome = files.filter((file) => file === home || home?.imports?.includes(file.fileName))
  const ids = new Set([...first, ...ofHome].flatMap(({ moduleIds = [] }) => moduleIds))
  return [...ids].flatMap((id) => (id.startsWith(SCREENS) && /\.tsx?$/.test(id) ? [id.slice(ROOT.length)] : []))
}

/** Messages that the first screen shows and does not have yet. A key is a text whose first part names messages. */
export function lateWords(sources: readonly Source[], names: ReadonlySet<string>, first: readonly string[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/['"`]([a-z_]+)\.[a-z_$]/g)].flatMap(([key, name = '']) =>
      names.has(name) && !first.includes(name)
        ? [`${path} says ${key.slice(1)}…, which comes after the first screen`]
        : [],
    ),
  )
}

/** Builds the admin interface without writing it, and weighs what the first screen waits for. */
export async function checkAdmin(): Promise<Report> {
  const built = await build({ root: `${ROOT}admin`, logLevel: 'error', build: { write: false } })
  const files = ([built].flat() as unknown as { output: Built[] }[]).flatMap(({ output }) => output)
  const first = firstLoad(files)
  const bytes = first.reduce((sum, file) => sum + gzipped(file), 0)
  const note = `${bytes} bytes (gzip) in ${first.length} files before the first screen`
  if (first.length < 2) return { mistakes: ['the page of the admin interface names no script or no stylesheet'], note }
  const sources = await readSources(firstModules(files, first))
  if (!sources.some(({ path }) => path.endsWith(HOME))) return { mistakes: ['the first screen was not found'], note }
  const [messages, firstWords] = await Promise.all(
    ['locales/en/admin.json', 'admin/first-words.json'].map(async (path) =>
      JSON.parse(await readFile(`${ROOT}${path}`, 'utf8')),
    ),
  )
  const late = lateWords(sources, new Set(Object.keys(messages)), firstWords)
  return { mistakes: bytes <= GZIP_BYTES_MAX ? late : [...late, `${note}; ${GZIP_BYTES_MAX} is the limit`], note }
}
