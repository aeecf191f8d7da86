import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { clock } from './clock.ts'

after(cleanUp)

test('nothing is lost, doubled or left when the clock goes an hour ahead and back', async () => {
  const progress: string[] = []
  const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
  const findings = await inScope(() => clock.prove(scale))
  for (const name of ['Orders answered with success', 'Events for the receiver'])
    assert.ok(Number(findings.find(({ what }) => what === name)?.figure) > 0, name)
  assert.deepEqual(
    findings.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
})
