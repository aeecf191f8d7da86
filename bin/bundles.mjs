// Packages of hundreds of small modules, which the installation puts into one file each: a start then opens a few files
// where it opened six hundred. Where there are none, because the installation ran no scripts, all works without them.
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SOURCE = new URL('../src/', import.meta.url).href
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))

/** What may be imported of each. None of them depends on another package, so its version says what is in its bundle. */
export const BUNDLED = { kysely: ['kysely', 'kysely/migration'], typebox: ['typebox', 'typebox/value'] }

/** The folder of a package's bundle. Its name has the version: the bundle of another one is not used. */
export function bundleFolder(name) {
  const { version } = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8'))
  return join(MODULES, '.cache', 'licet-bundles', `${name}-${version}`)
}

export function bundleFile(folder, specifier) {
  return join(folder, `${specifier.replace('/', '-')}.mjs`)
}

/**
 * Answers imports of bundled packages with their bundles, where there are any, and those of our own modules, which name
 * their file in full, without a look at the disk: that look takes a third of a start.
 */
export function hookImports() {
  const urls = new Map()
  for (const [name, specifiers] of Object.entries(BUNDLED)) {
    const folder = bundleFolder(name)
    for (const specifier of specifiers) {
      // A bundle that an older version of the service has made may lack one.
      const file = bundleFile(folder, specifier)
      if (existsSync(file)) urls.set(specifier, pathToFileURL(file).href)
    }
  }
  module.registerHooks({
    resolve(specifier, context, next) {
      const bundle = urls.get(specifier)
      if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true }
      if (!specifier.endsWith('.ts') || !context.parentURL?.startsWith(SOURCE)) return next(specifier, context)
      const url = specifier.startsWith('#') ? SOURCE + specifier.slice(1) : new URL(specifier, context.parentURL).href
      return { url, format: 'module-typescript', shortCircuit: true }
    },
  })
}
