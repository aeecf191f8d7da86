import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { findTools } from './machines/tools.ts'
import { machines } from './machines.ts'

after(cleanUp)

const tools = findTools()
const skip = 'missing' in tools && tools.missing

test('several machines lose nothing when that of the primary is lost, and agree', { skip }, async () => {
  const progress: string[] = []
  const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
  const findings = await inScope(() => machines.prove(scale))
  const restarted = findings.find(({ what }) => what === 'Requests during a rolling restart')
  assert.ok(Number(restarted?.figure) > 0, 'it asks for something')
  // Times depend on the machine, and are judged by the long run.
  const counted = findings.filter(({ what }) => !/^(Until|Without an accepted)/.test(what))
  assert.deepEqual(
    counted.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
})
