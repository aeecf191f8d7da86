#!/usr/bin/env node
// The command line as an executable. The service is TypeScript that Node runs as it is, which takes Node 24 or later:
// an older one hands over to the Node that was installed beside the service.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= 24) {
  await import(main.href)
} else {
  const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error(
      `licet needs Node 24 or later; this is ${process.version}. Run "npm ci" in its folder, or install a newer Node.`,
    )
    process.exit(1)
  }
  const child = spawnSync(own, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(child.status ?? 1)
}
