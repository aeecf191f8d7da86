import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

const running = new Set<() => void>()

after(() => {
  for (const stop of running) stop()
})

// The parts have tests of their own: this is the command itself, with the quickest of them.
test('npm run proof -- webhooks --short runs the part, prints its findings and keeps nothing', async () => {
  const child = spawn(process.execPath, [RUN, 'webhooks', '--short'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGTERM')
  running.add(stop)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  running.delete(stop)
  assert.equal(code, 0, complaints)
  assert.match(out, /^== Webhooks while processes are killed$/m)
  assert.match(out, /^ok {3}Processes killed: 3$/m)
  assert.match(out, /^ok {3}Every event arrived, in order, and no other: yes$/m)
})
