import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkClock, checkClockOfProject } from './check-clock.ts'

const found = (text: string, path = 'src/selling/orders/commands.ts') =>
  checkClock([
    { path, text },
    { path: 'src/selling/orders/rules.ts', text: '' },
  ]).length

test('the clock is asked for the time of a company everywhere', async () => {
  assert.deepEqual(await checkClockOfProject(), [])
})

test('the time of the machine is found, in whatever way it is written', () => {
  assert.equal(found('export const at = new Date()'), 1)
  assert.equal(found('export const at = () => Date.now() + 1'), 1)
  assert.equal(found('const query = sql`update orders set paid_at = now()`'), 1)
  assert.equal(found('const query = sql`select current_timestamp`'), 1)
})

test('times that are given, leases and what knows no company are left alone', () => {
  assert.equal(found('export const at = new Date(0)'), 0)
  assert.equal(found('const query = sql`select where leased_until > now()`'), 0)
  assert.equal(found('export const at = new Date()', 'src/platform/log/log.ts'), 0)
})

test('a check that saw nothing fails', () => {
  assert.throws(() => checkClock([]), /saw no source/)
})
