#!/usr/bin/env node
// The command line as an executable. The service is TypeScript that Node runs as it is, and uses parts of Node that
// came with 24.16: an older one hands over to the Node that was installed beside the service.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 16)) {
  await import(main.href)
} else {
  const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error(
      `licet needs Node 24.16 or later; this is ${process.version}. Run "npm ci" in its folder, or install a newer Node.`,
    )
    process.exit(1)
  }
  const child = spawn(own, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  // Who stops this process means the service; a Ctrl-C reaches both and is passed on all the same.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
