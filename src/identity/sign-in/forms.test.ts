import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cheapestMs } from '#test/cheapest.ts'
import { useService } from '#test/harness.ts'
import { ownerOf } from '#test/people.ts'
import { csrfTokenOn, visit } from '#test/visitor.ts'

const service = useService()

/** Combining marks that Unicode wants in another order: sorting them takes the square of their number. */
const MARKS = '\u0315\u0300'.repeat(5000)
const CPU_MS_MAX = 100

describe('a field that fills the form', () => {
  for (const [path, field] of [
    ['/sign-in', 'email'],
    ['/sign-in', 'password'],
    ['/sign-in', 'return_to'],
    ['/reset', 'email'],
  ] as const) {
    test(`${field} of ${path} is refused before anything is done with it`, async () => {
      const visitor = visit(service.url)
      const _csrf = csrfTokenOn(await visitor.get(path))
      const typed = { _csrf, email: 'jane@example.com', password: 'a long password' }
      await visitor.post(path, { ...typed, email: '' })
      const spentMs = await cheapestMs(CPU_MS_MAX, async () => {
        const answer = await visitor.post(path, { ...typed, [field]: MARKS })
        assert.equal(answer.status, 422)
        assert.match(answer.text, /is too long \(the maximum is \d+ characters\)/)
      })
      assert.ok(spentMs < CPU_MS_MAX, `${spentMs} ms`)
      assert.deepEqual(await service.db.selectFrom('attempt_limits').select('key').execute(), [])
    })
  }

  test('is no field of the form: nobody reads it', async () => {
    const shop = await service.openShop()
    const visitor = visit(service.url)
    await visitor.get('/sign-in')
    const answer = await visitor.submit('/sign-in', { ...(await ownerOf(service, shop)), nickname: MARKS })
    assert.deepEqual([answer.status, answer.location], [303, '/admin'])
  })
})
