import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { READS } from './growth/reads.ts'
import { growth } from './growth.ts'

after(cleanUp)

test('a platform is filled and measured at two sizes, and every read is answered', async () => {
  const progress: string[] = []
  const onProgress = (text: string) => progress.push(text)
  const findings = await inScope(() => growth.prove({ isShort: true, minutes: 1, rounds: 1, onProgress }))
  assert.deepEqual(
    findings.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
  assert.equal(findings.filter(({ what }) => what.endsWith('ms at the end')).length, READS.length)
  assert.equal(findings.find(({ what }) => what === 'Filled with entitlements')?.figure, '10,000')
  assert.equal(progress.length, 10)
})
