import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, inScope } from '#bench/processes.ts'
import { startCluster } from './cluster.ts'
import { provePointInTime } from './point-in-time.ts'
import { findTools } from './tools.ts'

after(cleanUp)

const tools = findTools()
const skip = 'missing' in tools && tools.missing

test('a cluster is brought back to a time between a sale and a mistake, with every row of that time', { skip }, () =>
  inScope(async () => {
    assert.ok(!('missing' in tools))
    const progress: string[] = []
    const scale = { isShort: true, minutes: 1, rounds: 1, onProgress: (text: string) => progress.push(text) }
    const cluster = await startCluster(tools, { nodes: ['one', 'two'], voters: ['three'], isHasty: true })
    const findings = await provePointInTime(tools, cluster, await cluster.settingsOf('mistaken'), scale)
    const [each] = findings
    assert.deepEqual([each?.what, each?.isMet], ['After a mistake, each row of the cluster is as it was before', true])
    assert.ok(findings.length > 1 || tools.account === undefined, progress.join('\n'))
  }),
)
