import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Shop, useService } from '#test/harness.ts'
import { visit } from '#test/visitor.ts'
import { createDemoLink } from './sign-in.commands.ts'

const service = useService()

async function aLink({ companyId, userId }: Shop): Promise<string> {
  const token = await inTransaction(service.db, (tx) =>
    createDemoLink(tx, { companyId, userId }, nowInSeconds(service.clock)),
  )
  return `/demo/${token}`
}

describe('the link to the demo shop', () => {
  test('signs its owner in by one press, once', async () => {
    const link = await aLink(await service.openShop())
    const visitor = visit(service.url)
    assert.equal((await visitor.get(link)).status, 200)
    // Opening it signs nobody in, however often.
    assert.match((await visitor.get('/admin')).location ?? '', /^\/sign-in/)
    await visitor.get(link)
    const entered = await visitor.submit(link)
    assert.deepEqual([entered.status, entered.location], [303, '/admin/tour'])
    assert.equal((await visitor.get('/admin')).status, 200)
    const another = visit(service.url)
    assert.equal((await another.get(link)).status, 410)
  })

  test('ends after a day, and when the next one is made', async () => {
    const shop = await service.openShop()
    const first = await aLink(shop)
    const second = await aLink(shop)
    const visitor = visit(service.url)
    assert.equal((await visitor.get(first)).status, 410)
    assert.equal((await visitor.get(second)).status, 200)
    service.clock.advance(86_401)
    assert.equal((await visitor.submit(second)).status, 410)
    assert.equal((await visitor.get('/demo/nothing')).status, 410)
  })

  test('is not made for a user with a second factor', async () => {
    const { companyId, userId } = await service.openShop()
    const now = nowInSeconds(service.clock)
    await service.db
      .insertInto('second_factors')
      .values({
        company_id: companyId,
        user_id: userId,
        sealed_secret: Buffer.from('x'),
        confirmed_at: now,
      })
      .execute()
    const made = await inTransaction(service.db, (tx) => createDemoLink(tx, { companyId, userId }, now))
    assert.equal(made, undefined)
  })
})
