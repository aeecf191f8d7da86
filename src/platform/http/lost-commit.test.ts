import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabaseWay } from '#test/database-way.ts'
import { useService } from '#test/harness.ts'

const way = useDatabaseWay()
const service = useService({ databaseWay: way })

describe('a change that is stored, but whose commit is not answered', () => {
  // Clients take 503 for a promise that nothing was done, and send the change again.
  test('is neither confirmed nor refused, and is done once for whoever sends it again with its key', async () => {
    const shop = await service.openShop()
    const create = (title: string, key: string) =>
      shop.post('/api/products.json', { product: { product_type: 1, title } }, { 'idempotency-key': key })
    assert.equal((await create('First', 'one')).status, 201)
    // A server without room for its log ends with the code of any statement without room, which did nothing.
    const ways = { Second: way.cutBeforeCommitIsAnswered, Third: way.endBeforeCommitIsAnswered }
    for (const [title, lose] of Object.entries(ways)) {
      lose()
      const lost = await create(title, title)
      assert.deepEqual([lost.status, lost.body.reason], [504, 'outcome_unknown'])
      assert.equal(lost.headers.get('retry-after'), null)
      way.mend()
      const again = await create(title, title)
      assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
    }
    const { body } = await shop.get('/api/products.json?fields=title')
    assert.deepEqual(body.products, [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }])
  })
})
