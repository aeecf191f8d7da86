#!/usr/bin/env node
// The command line as an executable. The service is TypeScript that Node runs as it is, and uses parts of Node that
// came with 24.16: an older one hands over to the Node that was installed beside the service.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { hookImports } from './bundles.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 16)) {
  // The service is hundreds of small modules: compiled once and kept, they make every later start much shorter. This file
  // is not TypeScript, so that such a start does not load what strips types at all. The folder is our own, because what
  // lies in the system's temporary one may have been put there by anybody.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/licet', import.meta.url)))
  hookImports()
  await import('../src/main.ts')
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
