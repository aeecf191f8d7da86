import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkClock, checkClockOfProject, checkFunctions } from './check-clock.ts'

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

test('a function of the database goes by the clock of the company', () => {
  const made = (body: string, path = 'migrations/0900_x.sql') =>
    checkFunctions([
      {
        path,
        text: `-- now()\ncreate or replace function f(of_company bigint) returns json as $$\n${body}\n$$;\nselect now();`,
      },
    ]).map(({ line }) => line)
  assert.deepEqual(made('begin return end_at > now(); end'), [2])
  assert.deepEqual(made('select current_timestamp'), [2])
  assert.deepEqual(made('select now() + ahead_ms * interval from test_clocks'), [])
  assert.deepEqual(made('select 1 -- not now()'), [])
  assert.deepEqual(made('select now()', 'migrations/0145_x.sql'), [], 'it was before the baseline')
})

test('a check that saw nothing fails', () => {
  assert.throws(() => checkFunctions([]), /saw no migration/)
  assert.throws(() => checkClock([]), /saw no source/)
})
