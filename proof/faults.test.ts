import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { faults } from './faults.ts'

after(cleanUp)

test('nothing is lost and nothing is doubled when processes, the database and clients fail', async () => {
  const progress: string[] = []
  const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
  const findings = await inScope(() => faults.prove(scale))
  const asked = findings.find(({ what }) => what === 'Orders answered with success')
  assert.ok(Number(asked?.figure) > 0, 'it orders something')
  assert.deepEqual(
    findings.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
})
