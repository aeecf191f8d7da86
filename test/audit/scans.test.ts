import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { driveAll } from '../growth/drive.ts'
import { openLarge } from '../growth/large.ts'
import { scansIn } from '../growth/plans.ts'
import { recordStatements, seenCount, takeSeen } from '../growth/seen.ts'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'

const routes = collectRoutes()
const service = useService()

before(recordStatements)

/** What other test files send is explained when all of them have run: test/growth/at-the-end.ts. */
test('no statement of any route or of the worker reads all of a large table', async (t) => {
  const { done } = await driveAll(service, routes())
  assert.ok(done > 500, `only ${done} requests did anything`)
  assert.ok(seenCount() > 700, `only ${seenCount()} statements were seen`)
  const large = await openLarge()
  if (large === undefined) return t.skip('it needs PostgreSQL 18 on this machine')
  t.after(large.drop)
  const { found, unknown } = await scansIn(large, takeSeen())
  assert.deepEqual(found, [])
  assert.deepEqual(unknown, [], 'statements about what is not in the schema')
})
