import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { start, temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let settings: Record<string, string>

before(async () => {
  database = await createDatabase()
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
})
after(() => database.drop())

const licet = (...args: string[]) => run(args, settings)

async function say(...args: string[]): Promise<string> {
  const { code, out, err } = await licet(...args)
  assert.deepEqual([code, err], [0, ''], args.join(' '))
  return out
}

const json = async (...args: string[]) => JSON.parse(await say(...args, '--json'))

async function aCompany(name: string, ...more: string[]): Promise<string> {
  const place = ['--country', 'DE', '--currency', 'EUR']
  return String(
    (await json('company', 'create', '--name', name, '--email', `${name}@example.com`, ...place, ...more)).company_id,
  )
}

describe('licet clock', () => {
  test('moves the clock of a sandbox with a worker, and of no other company', async () => {
    const films = await aCompany('films')
    const sandbox = await aCompany('tests', '--sandbox')
    const own = await aCompany('own', '--sandbox-of', films)
    const list = await say('company', 'list')
    assert.deepEqual([list.match(/active, sandbox/g)?.length, /films.*sandbox/.test(list)], [2, false])

    const refused = await licet('clock', 'show', '--company', films)
    assert.notEqual(refused.code, 0)
    assert.match(refused.err, /it is no sandbox/)
    assert.match(await say('clock', 'show', '--company', sandbox), /^It is \S+ in the sandbox\.\n$/)
    const wrong = await licet('clock', 'advance', 'P1.5M', '--company', sandbox)
    assert.notEqual(wrong.code, 0)

    const worker = start(['worker'], settings)
    try {
      const before = (await json('clock', 'show', '--company', sandbox)).test_clock
      const moved = (await json('clock', 'advance', 'P1M', '--company', sandbox)).test_clock
      assert.equal(moved.status, 'running')
      const days = (Date.parse(moved.now) - Date.parse(before.now)) / 86_400_000
      assert.ok(days > 27 && days < 32, `${days}`)
      const other = (await json('clock', 'show', '--company', own)).test_clock
      assert.ok(Date.parse(other.now) < Date.parse(moved.now), 'each has its own')
      const later = new Date(Date.parse(`${moved.now}Z`) + 40 * 86_400_000).toISOString().slice(0, 19)
      assert.match(await say('clock', 'to', later, '--company', own), new RegExp(`^It is ${later.slice(0, 16)}`))
    } finally {
      worker.kill('SIGTERM')
      await worker.ended
    }
  })
})
