import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { partners } from './partners.ts'

after(cleanUp)

test('nothing is lost and nothing is doubled when receivers, the gateway and the mail server fail', async () => {
  const progress: string[] = []
  const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
  const findings = await inScope(() => partners.prove(scale))
  for (const name of ['Charges at the gateway', 'Events for each receiver', 'Mails'])
    assert.ok(Number(findings.find(({ what }) => what === name)?.figure) > 0, name)
  assert.deepEqual(
    findings.filter(({ isMet }) => !isMet),
    [],
    progress.join('\n'),
  )
})
