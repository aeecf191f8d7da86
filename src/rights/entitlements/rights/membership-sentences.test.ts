import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, BOUGHT, FILM, HOUR, later, on, rights } from '#test/rights.ts'
import { clausesOf } from './clauses.rules.ts'
import { explain } from './explain.rules.ts'
import { afterAction, decide, HOLD_MS, NO_USAGE, statusOf } from './rules.ts'
import { refusalInWords, termsInWords } from './sentences.rules.ts'
import type { Action, Ask, Membership, Rights, Terms, Usage } from './state.ts'

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

type Random = ReturnType<typeof sequence>

const YEARS = 24 * 365 * 10
const count = (random: Random) => [-1, -1, 0, 1, 2, 5][random(6)] ?? -1

const someTerms = (random: Random): Partial<Terms> => ({
  drm: random(4) === 0 ? 0 : 1,
  allow_play: random(6) === 0 ? 0 : 1,
  total_downloads: count(random),
  annual_downloads: count(random),
  total_export: count(random),
  annual_export: count(random),
  total_concurrent_devices: count(random),
  annual_concurrent_devices: count(random),
  burn_play: count(random),
  expiration_date: random(6) === 0 ? later(24 + random(9000)) : null,
  expire_after_acquisition: random(4) === 0 ? 30 : 0,
  expire_after_acquisition_mode: 1,
})

const RUNS: Membership = {
  is_valid: true,
  is_member: true,
  counted_from: BOUGHT,
  starts_at: null,
  ends_at: null,
  is_included: true,
  opens_at: null,
  closes_at: null,
}

const aTime = (random: Random) => (random(2) === 0 ? null : later(random(4000) - 2000))

function someMembership(random: Random): Membership {
  return {
    is_valid: random(8) > 0,
    is_member: random(8) > 0,
    is_included: random(8) > 0,
    counted_from: BOUGHT,
    starts_at: aTime(random),
    ends_at: aTime(random),
    opens_at: aTime(random),
    closes_at: aTime(random),
  }
}

/** Everything that a group opens, for several members and products, which count together. */
function timesAllowed(terms: Partial<Terms>, random: Random, askOf: (attempt: number) => Ask): number | null {
  let usage: Usage = NO_USAGE
  let allowed = 0
  for (let attempt = 0; attempt < 20; attempt += 1) {
    // Each time somebody else of a sharing group, and another product.
    const acquired_at = later(-random(500))
    const before = rights(terms, { usage, membership: RUNS, acquired_at, product_type: FILM })
    const asked = askOf(attempt)
    const code = decide(before, asked, BOUGHT)
    usage = afterAction(before, asked, code, BOUGHT, new Date(BOUGHT.getTime() + HOLD_MS)).usage
    if (code === 'allowed') allowed += 1
  }
  return allowed === 20 ? null : allowed
}

test('what the terms of a group say in words is what all its members together can do', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = sequence(seed)
    const terms = { ...someTerms(random), expiration_date: null, expire_after_acquisition: 0 }
    const described = rights(terms, { membership: RUNS })
    const clauses = clausesOf(described)
    const kinds = new Map<string, (typeof clauses)[number]>(clauses.map((clause) => [clause.kind, clause]))
    const say = `seed ${seed}: ${termsInWords(described, 'en')}`
    const limitOf = (...names: string[]) => {
      const counts = names.flatMap((name) => {
        const clause = kinds.get(name)
        return clause !== undefined && 'count' in clause && clause.count !== null ? clause.count : []
      })
      return counts.length === 0 ? null : Math.min(...counts)
    }
    const times = (action: Action) => timesAllowed(terms, random, () => ask(action, { device: null }))
    const downloads = kinds.has('no downloads') ? 0 : limitOf('downloads', 'downloads a year')
    assert.equal(times('download'), downloads, say)
    if (described.terms.drm === 0) continue
    const exports = kinds.has('exports') || kinds.has('exports a year') ? limitOf('exports', 'exports a year') : 0
    assert.equal(times('export'), exports, say)
    const devices = kinds.has('no playing') ? 0 : limitOf('devices at once', 'devices a year')
    assert.equal(
      timesAllowed(terms, random, (attempt) => on(`device ${attempt}`)),
      devices,
      say,
    )
  }
})

test('a membership without an end of its license is said to last while somebody is a member, and does', () => {
  const seen = { whileMember: 0, withEnd: 0 }
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = sequence(seed)
    const opened = rights(
      { ...someTerms(random), drm: 0, total_downloads: -1 },
      { acquired_at: BOUGHT, membership: RUNS },
    )
    const kinds = new Set<string>(clausesOf(opened).map(({ kind }) => kind))
    assert.ok(!kinds.has('no end'), 'nothing is owned')
    const isAllowed = (member: Membership, now: Date) => decide({ ...opened, membership: member }, ask(), now)
    const last = later(1 + random(YEARS))
    if (kinds.has('while a member')) {
      seen.whileMember += 1
      assert.equal(isAllowed(RUNS, later(YEARS)), 'allowed')
      assert.equal(isAllowed({ ...RUNS, ends_at: last }, new Date(last.getTime() - 1000)), 'allowed')
    } else {
      seen.withEnd += 1
      assert.equal(isAllowed(RUNS, later(YEARS)), 'expired')
    }
    assert.equal(isAllowed({ ...RUNS, ends_at: last }, last), 'membership_ended')
  }
  assert.ok(seen.whileMember > 50 && seen.withEnd > 50, JSON.stringify(seen))
})

/** When a refusal is said to end, by its sentence. */
const AHEAD = {
  membership_not_started: ({ starts_at }: Membership) => starts_at,
  not_in_group_yet: ({ opens_at }: Membership) => opens_at,
} as const

test('decision, status, explanation and sentences of a membership agree at every time', () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= 600; seed += 1) {
    const random = sequence(seed)
    const membership = someMembership(random)
    const opened: Rights = rights(
      { ...someTerms(random), allow_play: 1 },
      { membership, acquired_at: membership.starts_at ?? later(-2000) },
    )
    for (let step = 0; step < 20; step += 1) {
      const now = later(random(6000) - 3000)
      const code = decide(opened, ask('burn'), now)
      const where = `seed ${seed}, step ${step}: ${code} at ${now.toISOString()}`
      seen.set(code, (seen.get(code) ?? 0) + 1)
      const { state, refusal } = statusOf(opened, now)
      assert.equal(state === 'active', refusal === null, where)
      // What the status refuses nobody may do; what it does not refuse depends on what is asked.
      if (refusal !== null) assert.equal(code, refusal, where)
      const rules = explain(opened, ask('burn'), now)
      assert.equal(rules.find((rule) => rule.refusal !== null)?.refusal ?? 'allowed', code, where)
      const ofMembership = rules.find(({ rule }) => rule === 'membership')
      assert.deepEqual(ofMembership?.input, { ...membership }, where)
      if (code !== 'membership_not_started' && code !== 'not_in_group_yet') continue
      const end = AHEAD[code](membership)
      assert.ok(end !== null && end > now, where)
      assert.notEqual(
        decide(opened, ask('burn'), end),
        code,
        `${where}: the sentence names a day on which it still holds`,
      )
      const name = code === 'not_in_group_yet' ? 'opens_at' : 'starts_at'
      const later400 = { ...membership, [name]: new Date(end.getTime() + 400 * 24 * HOUR) }
      const said = refusalInWords(code, opened, now, 'en')
      const moved = refusalInWords(code, { ...opened, membership: later400 }, now, 'en')
      assert.notEqual(said, moved, `${where}: the sentence does not name the day`)
    }
  }
  const few = REACHED.filter((code) => (seen.get(code) ?? 0) < 20)
  assert.deepEqual(few, [], JSON.stringify(Object.fromEntries(seen)))
})

const REACHED = [
  'allowed',
  'group_closed',
  'membership_ended',
  'membership_not_started',
  'no_longer_in_group',
  'not_in_group_yet',
  'expired',
]
