import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The service consists of hundreds of small modules: caching the compiled code makes every later start a third shorter.
// The cache is in a folder of our own, because anybody could have written to the system's temporary folder.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/licet', import.meta.url)))

const { runCommandLine } = await import('./command-line/run.ts')
await runCommandLine(process.argv)
