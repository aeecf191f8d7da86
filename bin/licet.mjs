#!/usr/bin/env node
// The command line as an executable. The service is TypeScript that Node runs as it is, and uses parts of Node that
// came with 24.16: an older one hands over to the Node that was installed beside the service.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { hookImports } from './bundles.mjs'
import { serviceEntry } from './service-bundle.mjs'

/** By then the first requests and the first round of background work have loaded their modules too. */
const SETTLED_MS = 10_000

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 16)) {
  // V8 doubles the space for new objects while modules are loaded, up to twice 16 MB, and gives nothing back while the service
  // is idle. So the space does not grow before the start is over; afterwards it grows with the load.
  setFlagsFromString('--semi-space-growth-factor=1')
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=2'), SETTLED_MS).unref()
  // The service is hundreds of small modules: compiled once and kept, they make every later start much shorter. This file
  // is not TypeScript, so that such a start does not load what strips types at all. The folder is our own, because what
  // lies in the system's temporary one may have been put there by anybody.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/licet', import.meta.url)))
  hookImports()
  await import(serviceEntry())
} else {
  const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error(
      `licet needs Node 24.16 or later; this is ${process.version}. Run "npm ci" in its folder, or install a newer Node.`,
    )
    process.exit(1)
  }
  const child = spawn(own, process.argv.slice(1), { stdio: 'inherit' })
  // Who stops this process means the service; a Ctrl-C reaches both and is passed on all the same.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
