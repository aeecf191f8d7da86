import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Report } from './check-migrations.ts'
import { ROOT } from './source.ts'

const GZIP_BYTES_MAX = 10 * 1024
/** What an app that plays without a connection loads beside the client. */
const OFFLINE_BYTES_MAX = 4 * 1024

/**
 * The whole client as an app would bundle it for browsers, where Node has no modules to import. esbuild reports each
 * import that a browser cannot follow.
 */
async function bundled(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}client/src/${entry}`],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

export function tooLarge(bundle: Uint8Array, bytesMax: number): string[] {
  const { length } = gzipSync(bundle, { level: 9 })
  if (bundle.length === 0) return ['the bundle of the client is empty: it looked in the wrong place']
  return length <= bytesMax ? [] : [`the client takes ${length} bytes (gzip); ${bytesMax} is the limit`]
}

export async function checkClient(): Promise<Report> {
  const [bundle, offline] = await Promise.all([bundled('licet.ts'), bundled('device-licenses.ts')])
  const mistakes = [...tooLarge(bundle, GZIP_BYTES_MAX), ...tooLarge(offline, OFFLINE_BYTES_MAX)]
  const [whole, beside] = [bundle, offline].map((bytes) => gzipSync(bytes, { level: 9 }).length)
  return { mistakes, note: `${whole} bytes (gzip), and ${beside} for apps that play without a connection` }
}
