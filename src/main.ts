import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The service is hundreds of small modules: compiled once and kept, they make every later start a third shorter. In a
// folder of our own, because what lies in the system's temporary one may have been put there by anybody.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/licet', import.meta.url)))

const { runCommandLine } = await import('./command-line/run.ts')
await runCommandLine(process.argv)
