// Runs after an installation. It must not fail one: without bundles the service starts more slowly, and that is all.
import { mkdir, rename, rm } from 'node:fs/promises'
import { buildAdmin } from './admin-build.mjs'
import { BUNDLED, bundleFile, bundleFolder } from './bundles.mjs'
import { bundleService } from './service-bundle.mjs'

/** Puts a package into a folder, complete or not at all. */
export async function bundle(name, folder) {
  const { build } = await import('esbuild')
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  try {
    await build({
      entryPoints: BUNDLED[name].map((specifier) => ({
        in: specifier,
        out: bundleFile('', specifier).replace(/\.mjs$/, ''),
      })),
      outdir: unfinished,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What two entries share is in a file of its own, so that it is loaded once.
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'silent',
    })
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  try {
    for (const name of Object.keys(BUNDLED)) await bundle(name, bundleFolder(name))
    await bundleService()
  } catch (error) {
    console.warn(`Modules were not bundled, so the service will start more slowly: ${error.message}`)
  }
  try {
    await buildAdmin()
  } catch (error) {
    console.warn(`The admin interface was not built: ${error.message}`)
  }
}
