import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { whyNotMountable } from './disk/small-disk.ts'
import { disk } from './disk.ts'

after(cleanUp)

test('nothing is lost and nothing is damaged when disks are full', {
  skip: whyNotMountable() ?? false,
}, async (context) => {
  const progress: string[] = []
  const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
  const findings = await inScope(() => disk.prove(scale))
  if (findings.length === 1) return context.skip(findings[0]?.figure)
  for (const name of ['Refused with 503', 'Uploads refused with 503', 'Uploads answered with success'])
    assert.ok(Number.parseInt(findings.find(({ what }) => what === name)?.figure ?? '', 10) > 0, name)
  assert.deepEqual(
    findings.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
})
