import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
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
