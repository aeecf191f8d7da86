// The admin interface in a few files for the browser, which the installation makes. An installation without the packages
// for development has no Vite: a release and the container image contain the files already.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ADMIN = fileURLToPath(new URL('../admin', import.meta.url))

export async function buildAdmin() {
  if (!existsSync(ADMIN)) return
  const vite = await import('vite').catch(() => undefined)
  if (vite === undefined) return
  await vite.build({ root: ADMIN, logLevel: 'error' })
}

// Older versions of Node have no import.meta.main, and would do nothing.
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAdmin()
