import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Group } from './group.ts'
import { createTurns } from './groups.ts'
import { growthIn } from './memory.ts'
import { gapsIn, inWords, type Tally } from './report.ts'

const SEED = 1
const REQUESTS = 500

/** The parts of the service to which requests have to come. */
const GROUPS = [
  'api',
  'admin api',
  'addresses',
  'user pages',
  'shop pages',
  'checkout',
  'sign-ups',
  'customer sign-in',
  'customer account',
  'shop forms',
  'login tokens',
  'uploads',
  'payment webhooks',
]

type Ended = { code: number; stdout: string; stderr: string }

/** The program as `npm run fuzz` starts it. */
async function fuzz(...options: string[]): Promise<Ended> {
  const args = [join(import.meta.dirname, 'run.ts'), ...options]
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 })) }
  } catch (error) {
    return error as Ended
  }
}

test(`${REQUESTS} requests to all parts of the service find nothing`, async () => {
  const { code, stdout, stderr } = await fuzz('--seed', String(SEED), '--requests', String(REQUESTS))
  assert.equal(code, 0, `${stderr}\n${stdout}`)
  assert.match(stdout, new RegExp(`^${REQUESTS} requests of seed ${SEED} `, 'm'))
  for (const name of GROUPS) assert.match(stdout, new RegExp(`^  ${name} +[1-9]\\d*  \\d{3}: `, 'm'), stdout)
})

test('the number of requests is at least one', async () => {
  const { code, stderr } = await fuzz('--requests', '0')
  assert.equal(code, 1)
  assert.match(stderr, /--requests/)
})

describe('memory', () => {
  const samples = (...values: [requests: number, memoryMb: number][]) =>
    growthIn(values.map(([requests, memoryMb]) => ({ requests, memoryMb }))).map(({ what }) => what)

  test('may fill caches', () => {
    assert.deepEqual(samples([0, 60], [2000, 90], [50_000, 170], [100_000, 180], [200_000, 190]), [])
  })

  test('may not grow beyond them', () => {
    assert.deepEqual(samples([0, 60], [2000, 90], [20_000, 230]), ['memory has grown by 140 MB during the run'])
  })

  test('may not go on growing', () => {
    const leak = ['memory has grown by 20 MB during its second half']
    assert.deepEqual(samples([0, 60], [2000, 90], [100_000, 110], [200_000, 130]), leak)
  })
})

describe('a run that has not looked', () => {
  const group = (name: string, share = 1): Group => ({
    name,
    share,
    next: () => assert.fail('nothing is sent here'),
    proofs: { 'something was read': () => true, 'something was written': () => true },
  })
  const tally = (requests: number, proved: [string, number][]): Tally => ({
    requests,
    statuses: new Map(),
    proved: new Map(proved),
  })
  const whatIn = (all: [Group, Tally][], requests: number) => gapsIn(new Map(all), requests).map(({ what }) => what)

  test('fails, whether it sent nothing, left a part out, or saw nothing but refusals', () => {
    assert.deepEqual(whatIn([], 100), ['nothing was sent'])
    assert.deepEqual(whatIn([[group('a'), tally(0, [])]], 0), ['nothing was sent'])
    assert.deepEqual(whatIn([[group('a'), tally(0, [])]], 100), ['a: no request was sent'])
    assert.deepEqual(whatIn([[group('a'), tally(9, [])]], 100), ['a: it never happened that something was read'])
    assert.deepEqual(whatIn([[group('a'), tally(9, [['something was read', 40]])]], 100), [])
    const read: [string, number] = ['something was read', 40]
    assert.deepEqual(whatIn([[group('a'), tally(900, [read])]], 2000), [
      'a: it never happened that something was written',
    ])
    const [late] = whatIn([[group('a'), tally(9, [['something was read', 40]])]], 100_000)
    assert.match(late ?? '', /after 40 requests it did not happen any more that something was read/)
  })

  test('cannot be: every part gets its share of the requests', () => {
    const next = createTurns([group('large', 8), group('small', 2)])
    const names = Array.from({ length: 100 }, () => next().name)
    assert.equal(names.filter((name) => name === 'large').length, 80)
    assert.ok(names.slice(0, 5).includes('small'))
  })
})

test('a violation says how to come to it again', () => {
  const request = { method: 'GET', path: '/x', headers: {} }
  const words = inWords(42, { what: 'it answered 500', request, group: 'api', requests: 80 })
  assert.match(words, /^api: it answered 500\n {2}GET \/x\n/)
  assert.match(words, /npm run fuzz -- --seed 42 --requests 80$/)
})
