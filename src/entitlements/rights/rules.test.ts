import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_LICENSE } from '../rules.ts'
import { clausesOf } from './clauses.ts'
import { endOf, nextYearOf, yearOf } from './periods.ts'
import { afterAction, type Code, decide, HOLD_MS, NO_USAGE, protectionOf, remainingOf, statusOf } from './rules.ts'
import type { Action, Ask, Rights, Terms } from './state.ts'
import { PHRASES, refusalInWords, termsInWords } from './words.ts'

const BOUGHT = new Date('2026-03-10T15:00:00Z')
const HOUR = 3_600_000
const later = (hours: number, from = BOUGHT) => new Date(from.getTime() + hours * HOUR)
const [FILM, ALBUM, BOOK] = [1, 24, 16]

/** A license with every right and no limit, that is protected. */
const ALL: Terms = { ...NO_LICENSE, drm: 1, export_pdf_print: null }

function rights(terms: Partial<Terms> = {}, others: Partial<Rights> = {}): Rights {
  return {
    terms: { ...ALL, ...terms },
    product_type: FILM,
    users: 1,
    acquired_at: BOUGHT,
    released_at: null,
    first_used_at: null,
    revoked: null,
    on_hold: false,
    suspended: false,
    usage: NO_USAGE,
    ...others,
  }
}

function ask(action: Action = 'play', others: Partial<Ask> = {}): Ask {
  return { action, device: { id: 'tv', last_client_time: null }, client_time: null, pages: 1, ...others }
}

const on = (device: string, action: Action = 'play'): Ask =>
  ask(action, { device: { id: device, last_client_time: null } })

/** Asks and counts, as a player does. */
function use(before: Rights, asked: Ask, now = BOUGHT): { code: Code; after: Rights } {
  const code = decide(before, asked, now)
  return { code, after: afterAction(before, asked, code, now, new Date(now.getTime() + HOLD_MS)) }
}

/** The codes of several uses, one after another. */
function useAll(before: Rights, asks: [Ask, Date?][]): Code[] {
  let current = before
  return asks.map(([asked, now]) => {
    const { code, after } = use(current, asked, now)
    current = after
    return code
  })
}

describe('a license field decides', () => {
  const cases: [field: string, terms: Partial<Terms>, asked: Ask, now: Date, code: Code, others?: Partial<Rights>][] = [
    ['valid', { valid: 0 }, ask(), BOUGHT, 'license_invalid'],
    ['allow_play', { allow_play: 0 }, ask(), BOUGHT, 'play_not_allowed'],
    [
      'drm',
      { drm: 0, allow_play: 0, total_concurrent_devices: 0, burn_play: 0, total_export: 0 },
      ask(),
      BOUGHT,
      'allowed',
    ],
    ['drm', { drm: 0, total_export: 0, export_epub: 0 }, ask('export'), BOUGHT, 'allowed', { product_type: BOOK }],
    ['drm', { drm: 0, burn_play: 0 }, ask('burn'), BOUGHT, 'allowed'],
    ['drm', { drm: 0, export_pdf_print: 0 }, ask('print', { pages: 900 }), BOUGHT, 'allowed'],
    ['drm', { drm: 0, total_downloads: 0 }, ask('download'), BOUGHT, 'download_not_allowed'],
    ['drm', { drm: 0, expire_after_acquisition: 1 }, ask(), later(1), 'expired'],
    ['total_downloads', { total_downloads: 0 }, ask('download'), BOUGHT, 'download_not_allowed'],
    ['annual_downloads', { annual_downloads: 0 }, ask('download'), BOUGHT, 'download_not_allowed'],
    ['total_export', { total_export: 0 }, ask('export'), BOUGHT, 'export_not_allowed'],
    ['annual_export', { annual_export: 0 }, ask('export'), BOUGHT, 'export_not_allowed'],
    ['export_epub', { export_epub: 0 }, ask('export'), BOUGHT, 'export_not_allowed', { product_type: BOOK }],
    ['export_epub', { export_epub: 0 }, ask('export'), BOUGHT, 'allowed', { product_type: ALBUM }],
    ['export_mp3', { export_mp3: 0 }, ask('export'), BOUGHT, 'export_not_allowed', { product_type: ALBUM }],
    ['export_mp3', { export_mp3: 0 }, ask('export'), BOUGHT, 'allowed', { product_type: BOOK }],
    ['burn_play', { burn_play: 0 }, ask('burn'), BOUGHT, 'burn_not_allowed'],
    ['burn_play', { burn_play: 20, export_pdf_print: 1 }, ask('print', { pages: 20 }), BOUGHT, 'allowed'],
    ['burn_play', { burn_play: 20, export_pdf_print: 1 }, ask('print', { pages: 21 }), BOUGHT, 'too_many_pages'],
    ['burn_play', { burn_play: 20, export_pdf_print: 1 }, ask('burn'), BOUGHT, 'burn_not_allowed'],
    ['export_pdf_print', { export_pdf_print: 0 }, ask('print'), BOUGHT, 'print_not_allowed'],
    ['export_pdf_print', { export_pdf_print: null }, ask('print'), BOUGHT, 'print_not_allowed'],
    ['total_concurrent_devices', { total_concurrent_devices: 0 }, ask(), BOUGHT, 'device_limit'],
    [
      'total_concurrent_devices',
      { total_concurrent_devices: 1 },
      ask('play', { device: null }),
      BOUGHT,
      'device_required',
    ],
    ['total_concurrent_devices', { total_concurrent_devices: 0 }, ask('export'), BOUGHT, 'allowed'],
    ['annual_concurrent_devices', { annual_concurrent_devices: 0 }, ask(), BOUGHT, 'annual_device_limit'],
    ['expiration_date', { expiration_date: later(10) }, ask(), later(10), 'expired'],
    ['expiration_date', { expiration_date: later(10) }, ask(), new Date(later(10).getTime() - 1), 'allowed'],
    ['expire_after_acquisition', { expire_after_acquisition: 48 }, ask(), later(48), 'expired'],
    ['expire_after_acquisition', { expire_after_acquisition: 48 }, ask(), later(47), 'allowed'],
    [
      'expire_after_acquisition_mode',
      { expire_after_acquisition: 2, expire_after_acquisition_mode: 1 },
      ask(),
      later(47),
      'allowed',
    ],
    [
      'expire_after_acquisition_mode',
      { expire_after_acquisition: 2, expire_after_acquisition_mode: 1 },
      ask(),
      later(48),
      'expired',
    ],
    [
      'expire_after_acquisition_mode',
      { expire_after_acquisition: 1, expire_after_acquisition_mode: 2 },
      ask(),
      new Date('2026-04-10T14:59:59Z'),
      'allowed',
    ],
    [
      'expire_after_acquisition_mode',
      { expire_after_acquisition: 1, expire_after_acquisition_mode: 2 },
      ask(),
      new Date('2026-04-10T15:00:00Z'),
      'expired',
    ],
    ['expire_after_first_use', { expire_after_first_use: 48 }, ask(), later(500), 'allowed'],
    [
      'expire_after_first_use',
      { expire_after_first_use: 48 },
      ask(),
      later(58),
      'expired',
      { first_used_at: later(10) },
    ],
    [
      'expire_after_first_use_mode',
      { expire_after_first_use: 1, expire_after_first_use_mode: 1 },
      ask(),
      later(33),
      'allowed',
      { first_used_at: later(10) },
    ],
    [
      'expire_after_first_use_mode',
      { expire_after_first_use: 1, expire_after_first_use_mode: 1 },
      ask(),
      later(34),
      'expired',
      { first_used_at: later(10) },
    ],
    [
      'delete_on_clock_rollback',
      { delete_on_clock_rollback: 1 },
      ask('play', { client_time: later(-1) }),
      BOUGHT,
      'clock_set_back',
    ],
    [
      'disable_on_clock_rollback',
      { disable_on_clock_rollback: 1 },
      ask('play', { client_time: later(-1) }),
      BOUGHT,
      'clock_set_back',
    ],
    ['neither clock rule', {}, ask('play', { client_time: later(-1) }), BOUGHT, 'allowed'],
    ['drm', { drm: 0, disable_on_clock_rollback: 1 }, ask('play', { client_time: later(-1) }), BOUGHT, 'allowed'],
  ]
  for (const [field, terms, asked, now, code, others] of cases)
    test(`${field}: ${asked.action} under ${JSON.stringify(terms)} is ${code}`, () => {
      assert.equal(decide(rights(terms, others), asked, now), code)
    })

  test('each limit on its own, and the annual ones begin again after a year', () => {
    const next = new Date('2027-03-10T00:00:00Z')
    const download = ask('download', { device: null })
    assert.deepEqual(useAll(rights({ total_downloads: 2 }), [[download], [download], [download], [download, next]]), [
      'allowed',
      'allowed',
      'downloads_used_up',
      'downloads_used_up',
    ])
    assert.deepEqual(
      useAll(rights({ annual_downloads: 1 }), [[download], [download], [download, next], [download, next]]),
      ['allowed', 'annual_downloads_used_up', 'allowed', 'annual_downloads_used_up'],
    )
    assert.deepEqual(useAll(rights({ total_export: 1 }), [[ask('export')], [ask('export')]]), [
      'allowed',
      'exports_used_up',
    ])
    assert.deepEqual(useAll(rights({ annual_export: 1 }), [[ask('export')], [ask('export')], [ask('export'), next]]), [
      'allowed',
      'annual_exports_used_up',
      'allowed',
    ])
    assert.deepEqual(useAll(rights({ burn_play: 2 }), [[ask('burn')], [ask('burn')], [ask('burn')]]), [
      'allowed',
      'allowed',
      'burns_used_up',
    ])
  })

  test('the output protection that a player gets, unless nothing is protected', () => {
    const levels = {
      copp_aps: 1,
      copp_cgms: 1,
      copp_hdcp: 1,
      copy_prot_level_analog: 300,
      copy_prot_level_digital: 110,
      play_prot_level_analog: 500,
      play_prot_level_digital: 150,
    }
    assert.deepEqual(protectionOf(rights(levels)), levels)
    assert.ok(Object.values(protectionOf(rights({ ...levels, drm: 0 }))).every((level) => level === 0))
  })
})

describe('devices', () => {
  test('hold the content until they are silent for 15 minutes', () => {
    const before = rights({ total_concurrent_devices: 1 })
    const { after } = use(before, on('tv'))
    const almost = new Date(BOUGHT.getTime() + HOLD_MS - 1)
    assert.equal(decide(after, on('phone'), almost), 'device_limit')
    assert.equal(decide(after, on('tv'), almost), 'allowed')
    assert.equal(decide(after, on('phone'), new Date(BOUGHT.getTime() + HOLD_MS)), 'allowed')
  })

  test('count for each of several users', () => {
    const asks = ['a', 'b', 'c', 'd', 'e'].map((device): [Ask] => [on(device)])
    assert.deepEqual(useAll(rights({ total_concurrent_devices: 2 }, { users: 2 }), asks), [
      'allowed',
      'allowed',
      'allowed',
      'allowed',
      'device_limit',
    ])
  })

  test('that are given back still count as different devices of the year', () => {
    const before = rights({ annual_concurrent_devices: 2 })
    const hour = (hours: number) => later(hours)
    assert.deepEqual(
      useAll(before, [
        [on('a'), hour(0)],
        [on('b'), hour(1)],
        [on('c'), hour(2)],
        [on('a'), hour(3)],
        [on('c'), new Date('2027-03-10T00:00:00Z')],
      ]),
      ['allowed', 'allowed', 'annual_device_limit', 'allowed', 'allowed'],
    )
  })
})

describe('a clock that was set back', () => {
  test('ends the entitlement for good, if the license says so', () => {
    const { after } = use(rights({ delete_on_clock_rollback: 1 }), ask('play', { client_time: later(-1) }))
    assert.equal(decide(after, ask('play', { client_time: BOUGHT }), BOUGHT), 'ended_by_clock')
    assert.equal(statusOf(after, BOUGHT).state, 'revoked')
  })

  test('suspends it until a request shows the right time', () => {
    const { after } = use(rights({ disable_on_clock_rollback: 1 }), ask('play', { client_time: later(-1) }))
    assert.equal(statusOf(after, BOUGHT).state, 'suspended')
    assert.equal(decide(after, ask(), BOUGHT), 'clock_set_back')
    const right = use(after, ask('play', { client_time: BOUGHT }))
    assert.equal(right.code, 'allowed')
    assert.equal(statusOf(right.after, BOUGHT).state, 'active')
  })

  test('is noticed against an earlier time of the same device, and five minutes are no matter', () => {
    const shown = (client_time: Date, last: Date | null) =>
      ask('play', { client_time, device: { id: 'tv', last_client_time: last } })
    const terms = rights({ disable_on_clock_rollback: 1 })
    assert.equal(decide(terms, shown(BOUGHT, later(1)), BOUGHT), 'clock_set_back')
    assert.equal(decide(terms, shown(new Date(BOUGHT.getTime() - 300_000), null), BOUGHT), 'allowed')
    assert.equal(decide(terms, shown(new Date(BOUGHT.getTime() - 300_001), null), BOUGHT), 'clock_set_back')
  })
})

describe('the order of reasons', () => {
  test('is revoked, not released, expired, clock, action, device, count', () => {
    const worst = rights(
      {
        allow_play: 0,
        total_downloads: 1,
        total_concurrent_devices: 0,
        expire_after_acquisition: 1,
        disable_on_clock_rollback: 1,
      },
      { revoked: 'refund', on_hold: true, released_at: later(10), usage: { ...NO_USAGE, downloads: 1 } },
    )
    const behind = ask('play', { client_time: later(-1) })
    const steps: [Partial<Rights>, Ask, Date, Code][] = [
      [{}, behind, BOUGHT, 'refunded'],
      [{ revoked: null }, behind, BOUGHT, 'order_not_confirmed'],
      [{ on_hold: false }, behind, BOUGHT, 'not_released'],
      [{ released_at: null }, behind, later(1), 'expired'],
      [{}, behind, BOUGHT, 'clock_set_back'],
      [{}, ask('play'), BOUGHT, 'play_not_allowed'],
      [{}, ask('download'), BOUGHT, 'device_limit'],
      [{}, ask('download', { device: null }), BOUGHT, 'downloads_used_up'],
    ]
    let current = worst
    for (const [change, asked, now, code] of steps) {
      current = { ...current, ...change }
      assert.equal(decide(current, asked, now), code)
    }
  })
})

describe('times', () => {
  test('end at the earliest of all ends; months are calendar months', () => {
    const on31 = { acquired_at: new Date('2027-01-31T10:00:00Z'), released_at: null, first_used_at: null }
    const month = { ...ALL, expire_after_acquisition: 1, expire_after_acquisition_mode: 2 }
    assert.equal(endOf({ ...on31, terms: month })?.toISOString(), '2027-02-28T10:00:00.000Z')
    const both = { ...month, expire_after_first_use: 48, expiration_date: new Date('2027-03-01T00:00:00Z') }
    const used = { ...on31, terms: both, first_used_at: new Date('2027-02-01T00:00:00Z') }
    assert.equal(endOf(used)?.toISOString(), '2027-02-03T00:00:00.000Z')
    assert.equal(endOf({ ...on31, terms: ALL }), null)
  })

  test('of something ordered in advance begin at its release', () => {
    const preOrder = rights({ expire_after_acquisition: 24 }, { released_at: later(240) })
    assert.equal(decide(preOrder, ask(), later(239)), 'not_released')
    assert.equal(decide(preOrder, ask(), later(240)), 'allowed')
    assert.equal(endOf(preOrder)?.getTime(), later(264).getTime())
  })

  test('years of a license begin on the day of acquisition', () => {
    const leap = { acquired_at: new Date('2028-02-29T22:00:00Z'), released_at: null }
    assert.equal(yearOf(leap, new Date('2029-02-27T23:59:59Z')), 0)
    assert.equal(yearOf(leap, new Date('2029-02-28T00:00:00Z')), 1)
    assert.equal(nextYearOf(leap, new Date('2028-03-01T00:00:00Z')).toISOString(), '2029-02-28T00:00:00.000Z')
  })
})

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const ACTIONS: Action[] = ['play', 'download', 'export', 'burn', 'print']

function randomRights(random: (below: number) => number): Rights {
  const count = () => [-1, 0, 1, 2, 5][random(5)] ?? -1
  const flag = () => random(2)
  return rights(
    {
      drm: random(4) === 0 ? 0 : 1,
      allow_play: random(5) === 0 ? 0 : 1,
      burn_play: count(),
      total_downloads: count(),
      annual_downloads: count(),
      total_export: count(),
      annual_export: count(),
      total_concurrent_devices: count(),
      annual_concurrent_devices: count(),
      delete_on_clock_rollback: random(6) === 0 ? 1 : 0,
      disable_on_clock_rollback: flag(),
      expiration_date: random(4) === 0 ? later(random(10_000)) : null,
      expire_after_acquisition: [0, 0, 30][random(3)] ?? 0,
      expire_after_acquisition_mode: random(3),
      expire_after_first_use: [0, 0, 48][random(3)] ?? 0,
      expire_after_first_use_mode: random(3),
      export_epub: flag(),
      export_mp3: flag(),
      export_pdf_print: [null, 0, 1][random(3)] ?? null,
    },
    { product_type: [FILM, ALBUM, BOOK, 4][random(4)] ?? FILM, users: 1 + random(2) },
  )
}

function randomAsk(random: (below: number) => number, now: Date): Ask {
  return ask(ACTIONS[random(5)] ?? 'play', {
    device: random(6) === 0 ? null : { id: `device ${random(7)}`, last_client_time: null },
    client_time: random(3) === 0 ? new Date(now.getTime() - random(20) * 60_000) : null,
    pages: 1 + random(6),
  })
}

test('whatever is asked in whatever order, limits hold, refusals count nothing, and ends never move later', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = sequence(seed)
    let current = randomRights(random)
    const { terms, users } = current
    const given = { download: 0, export: 0, burn: 0 }
    const givenByYear = new Map<string, number>()
    let now = BOUGHT
    for (let step = 0; step < 60; step += 1) {
      now = new Date(now.getTime() + random(400) * HOUR)
      const asked = randomAsk(random, now)
      const code = decide(current, asked, now)
      const after = afterAction(current, asked, code, now, new Date(now.getTime() + HOLD_MS))
      const left = remainingOf(current, now)
      if (code !== 'allowed') {
        assert.deepEqual(after.usage, current.usage, `seed ${seed}: a refusal (${code}) counted something`)
        assert.equal(after.first_used_at, current.first_used_at)
      } else {
        const { action } = asked
        if (action === 'download' || action === 'export' || action === 'burn') {
          given[action] += 1
          const key = `${action} ${yearOf(current, now)}`
          givenByYear.set(key, (givenByYear.get(key) ?? 0) + 1)
          const counted = { download: left.downloads, export: left.exports, burn: left.burns }[action]
          assert.ok(counted === null || counted > 0, `seed ${seed}: ${action} with nothing left`)
        }
        const held = new Set(
          after.usage.holds.filter(({ until }) => until === null || until > now).map((hold) => hold.device),
        )
        if (terms.drm === 1 && terms.total_concurrent_devices >= 0)
          assert.ok(held.size <= terms.total_concurrent_devices * users, `seed ${seed}: too many devices`)
      }
      const [end, endAfter] = [endOf(current), endOf(after)]
      if (end !== null) assert.ok(endAfter !== null && endAfter <= end, `seed ${seed}: the end moved later`)
      current = after
    }
    const within = (limit: number, count: number) => limit < 0 || count <= limit
    assert.ok(within(terms.total_downloads, given.download))
    if (terms.drm === 1) {
      assert.ok(within(terms.total_export, given.export))
      assert.ok(terms.export_pdf_print === 1 ? given.burn === 0 : within(terms.burn_play, given.burn))
    }
    for (const [key, count] of givenByYear) {
      if (key.startsWith('download')) assert.ok(within(terms.annual_downloads, count))
      if (key.startsWith('export') && terms.drm === 1) assert.ok(within(terms.annual_export, count))
    }
  }
})

test('what the terms say in words is what the engine does', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = sequence(seed)
    const before = randomRights(random)
    const kinds = new Map(clausesOf(before).map((clause) => [clause.kind, clause]))
    const say = `seed ${seed}: ${termsInWords(before, 'en')}`
    const isOpen = statusOf(before, BOUGHT).state === 'active'
    const timesAllowed = (action: Action, device: string | null) => {
      let current = before
      let times = 0
      for (; times < 20; times += 1) {
        const { code, after } = use(current, device === null ? ask(action, { device: null }) : on(device, action))
        if (code !== 'allowed') break
        current = after
      }
      return times === 20 ? null : times
    }
    const least = (...counts: (number | null | undefined)[]) =>
      counts.reduce<number | null>(
        (one, other) => (other == null ? one : one === null ? other : Math.min(one, other)),
        null,
      )
    if (!isOpen) continue
    const countOf = (kind: string) => {
      const clause = kinds.get(kind as never)
      return clause !== undefined && 'count' in clause ? clause.count : null
    }
    const downloads = kinds.has('no downloads') ? 0 : least(countOf('downloads'), countOf('downloads a year'))
    assert.equal(timesAllowed('download', null), downloads, say)
    if (before.terms.drm === 1) {
      const exports =
        kinds.has('exports') || kinds.has('exports a year') ? least(countOf('exports'), countOf('exports a year')) : 0
      assert.equal(timesAllowed('export', null), exports, say)
      assert.equal(timesAllowed('burn', null), kinds.has('burns') ? countOf('burns') : 0, say)
      const devices = least(countOf('devices at once'), countOf('devices a year'))
      if (!kinds.has('no playing')) {
        const codes = useAll(
          before,
          Array.from({ length: 20 }, (_, number): [Ask] => [on(`device ${number}`)]),
        )
        assert.equal(codes.filter((code) => code === 'allowed').length, devices ?? 20, say)
      }
      const prints = kinds.get('prints')
      const pages = prints?.kind === 'prints' ? (prints.pages ?? 1_000_000) : 0
      for (const [asked, isAllowed] of [
        [pages, pages > 0],
        [pages + 1, prints?.kind === 'prints' && prints.pages === null],
      ] as const)
        if (asked > 0)
          assert.equal(decide(before, ask('print', { pages: asked }), BOUGHT) === 'allowed', isAllowed, say)
    }
    assert.equal(decide(before, on('tv'), BOUGHT) === 'play_not_allowed', kinds.has('no playing'), say)
  }
})

test('every language has its own sentences, and none shows a gap', () => {
  const refusals = Object.keys(PHRASES.en?.refusals ?? {}) as (keyof NonNullable<
    (typeof PHRASES)[string]
  >['refusals'])[]
  assert.ok(refusals.length > 20)
  for (const refusal of refusals) {
    const sentences = Object.keys(PHRASES).map((language) =>
      refusalInWords(refusal, rights({ expire_after_acquisition: 48, burn_play: 1 }), BOUGHT, language),
    )
    assert.equal(new Set(sentences).size, sentences.length, refusal)
    for (const sentence of sentences) assert.match(sentence, /^\p{Lu}.*[.]$/u)
    assert.doesNotMatch(sentences.join(), /\b(undefined|null|NaN)\b|-1/)
  }
  const rented = rights({
    expire_after_first_use: 48,
    expire_after_acquisition: 30,
    expire_after_acquisition_mode: 1,
    total_downloads: 1,
    total_concurrent_devices: 2,
  })
  assert.equal(
    termsInWords(rented, 'en'),
    'For 48 hours from first use. Within 30 days of purchase. On 2 devices at a time. 1 download. May be exported without copy protection. May be burnt.',
  )
  assert.equal(termsInWords(rented, 'de').startsWith('48 Stunden ab der ersten Nutzung. 30 Tage ab Kauf.'), true)
  assert.equal(termsInWords(rented, 'tlh'), termsInWords(rented, 'en'))
})
