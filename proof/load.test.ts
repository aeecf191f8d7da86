import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { disturbances, leastBefore, slope } from './load/steady.ts'
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

test('memory that rises and falls with garbage does not grow, and what is kept beside it does', () => {
  const samples = (keptPerMinute: number) =>
    Array.from({ length: 240 }, (_, index) => {
      const minutes = (index * 5) / 60
      return { atMs: minutes * 60_000, mb: 340 + 110 * ((minutes / 3.3) % 1) + keptPerMinute * minutes }
    })
  const growth = (keptPerMinute: number) => slope(leastBefore(samples(keptPerMinute)).slice(80))
  assert.ok(Math.abs(growth(0)) < 0.25, `${growth(0)}`)
  assert.ok(growth(1) > 0.8, `${growth(1)}`)
})
