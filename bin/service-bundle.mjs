// The service's own modules in a few files, which the installation makes: a start loads them in less time and memory than a
// thousand small ones. They are used only for as long as the sources are those that they were made of.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'node_modules', '.cache', 'licet-bundles', 'service')
const SOURCES = 'sources.json'

/** What the service starts with: its bundle, or its sources if they have changed since or there is no bundle. */
export function serviceEntry(root = ROOT, folder = FOLDER) {
  return pathToFileURL(isCurrent(root, folder) ? join(folder, 'main.mjs') : join(root, 'src', 'main.ts')).href
}

function isCurrent(root, folder) {
  try {
    // Packages may be a link to a place that other releases share. The bundle would look for its sources from there.
    if (realpathSync(folder) !== join(realpathSync(root), relative(root, folder))) return false
    const sources = JSON.parse(readFileSync(join(folder, SOURCES), 'utf8'))
    return sources.length > 0 && sources.every(([path, state]) => stateOf(join(root, path)) === state)
  } catch {
    // There is no bundle, or a source is gone.
    return false
  }
}

/** Images and archives keep the times of files in whole seconds. */
function stateOf(file) {
  const { size, mtimeMs } = statSync(file)
  return `${size} ${Math.floor(mtimeMs / 1000)}`
}

/** Makes the bundle, complete or not at all. */
export async function bundleService(root = ROOT, folder = FOLDER) {
  const { build } = await import('esbuild')
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [join(root, 'src', 'main.ts')],
      outdir: unfinished,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      packages: 'external',
      // The stack of an error names the functions as the sources do, and with --enable-source-maps their files and lines.
      keepNames: true,
      sourcemap: true,
      sourcesContent: false,
      legalComments: 'none',
      logLevel: 'silent',
      metafile: true,
      plugins: [ownPlaces(folder)],
    })
    const sources = Object.keys(metafile.inputs).map((path) => [path, stateOf(join(root, path))])
    await writeFile(join(unfinished, SOURCES), JSON.stringify(sources))
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Modules find files beside them (scripts of processes, styles, fonts): in the bundle they still look beside the source. */
function ownPlaces(folder) {
  return {
    name: 'own places',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const source = `new URL(${JSON.stringify(relative(folder, path).replaceAll('\\', '/'))}, import.meta.url)`
        const places = {
          url: `${source}.href`,
          dirname: `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${source}))`,
        }
        const text = await readFile(path, 'utf8')
        return { contents: text.replaceAll(/import\.meta\.(url|dirname)\b/g, (_, name) => places[name]), loader: 'ts' }
      })
    },
  }
}
