import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Report } from './check-migrations.ts'
import { ROOT } from './source.ts'

const GZIP_BYTES_MAX = 200 * 1024

type Built = { type: 'chunk' | 'asset'; fileName: string; code?: string; source?: string | Uint8Array }

/** What a browser loads before the first screen: the files that the page names, without fonts. */
export function firstLoad(files: readonly Built[]): Built[] {
  const page = files.find(({ fileName }) => fileName === 'index.html')
  const html = String(page?.source ?? '')
  return files.filter(({ fileName }) => /\.(js|css)$/.test(fileName) && html.includes(fileName))
}

function gzipped({ code, source }: Built): number {
  return gzipSync(code ?? source ?? '', { level: 9 }).length
}

/** Builds the admin interface without writing it, and weighs what the first screen waits for. */
export async function checkAdmin(): Promise<Report> {
  const built = await build({ root: `${ROOT}admin`, logLevel: 'error', build: { write: false } })
  const files = ([built].flat() as unknown as { output: Built[] }[]).flatMap(({ output }) => output)
  const first = firstLoad(files)
  const bytes = first.reduce((sum, file) => sum + gzipped(file), 0)
  const note = `${bytes} bytes (gzip) in ${first.length} files before the first screen`
  if (first.length < 2) return { mistakes: ['the page of the admin interface names no script or no stylesheet'], note }
  return { mistakes: bytes <= GZIP_BYTES_MAX ? [] : [`${note}; ${GZIP_BYTES_MAX} is the limit`], note }
}
