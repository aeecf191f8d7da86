import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { disturbances } from './load/steady.ts'
import { load } from './load.ts'

after(cleanUp)

test('a busy shop loses nothing and doubles nothing, and refuses nothing for longer than it has to', async () => {
  const progress: string[] = []
  const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
  const findings = await inScope(() => load.prove(scale))
  const asked = findings.find(({ what }) => what === 'Orders answered with success')
  assert.ok(Number(asked?.figure) > 0, 'it orders something')
  assert.deepEqual(
    findings.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
})

test('the time that a host took is told apart, and what had to wait for its end', () => {
  const processors = availableParallelism()
  const samples = [0, 0.04, 0.1, 0.1].map((share, index) => ({
    atMs: (index + 1) * 5000,
    mb: 200,
    stolen: share * 5 * processors,
  }))
  assert.deepEqual(disturbances(samples), [{ from: 10_000, until: 45_000 }])
})
