import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALBUM, ALL, ask, BOOK, BOUGHT, later, on, rights, use, useAll } from '#test/rights.ts'
import { licenseEndOf, nextYearOf, yearOf } from './periods.rules.ts'
import {
  afterAction,
  type Code,
  decide,
  devicesAt,
  HOLD_MS,
  NO_USAGE,
  protectionOf,
  remainingOf,
  statusOf,
  withoutHold,
  withoutLicense,
} from './rules.ts'
import type { Ask, Rights, Terms } from './state.ts'

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

describe('a license of a device', () => {
  const before = rights({ total_concurrent_devices: 2 })
  const held = (from: Rights, device: string, until: Date, license?: string) =>
    afterAction(from, on(device), 'allowed', BOUGHT, until, license)

  test('holds the content until it is returned, whatever else its device gives back', () => {
    const after = held(held(before, 'tv', later(0.1)), 'tv', later(200), 'one')
    assert.deepEqual(devicesAt(after.usage, BOUGHT), ['tv'])
    assert.equal(remainingOf(after, BOUGHT).devices, 1, 'a device that streams and has a license is one device')
    const released = withoutHold(after, 'tv', BOUGHT)
    assert.deepEqual(devicesAt(released.usage, BOUGHT), ['tv'])
    assert.deepEqual(devicesAt(withoutLicense(released, 'one').usage, BOUGHT), [])
  })

  // Otherwise a returned license would free the place of a file that stays valid.
  test('leaves the place of a file, and of another license', () => {
    const file = held(before, 'tv', later(100))
    const both = held(held(file, 'tv', later(200), 'one'), 'phone', later(200), 'two')
    assert.deepEqual(devicesAt(withoutLicense(both, 'one').usage, BOUGHT), ['tv', 'phone'])
    assert.equal(decide(both, on('tablet'), BOUGHT), 'device_limit')
  })

  test('that ends earlier than before frees the place earlier', () => {
    const after = held(held(before, 'tv', later(200), 'one'), 'tv', later(50), 'one')
    assert.deepEqual(devicesAt(after.usage, later(51)), [])
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
    assert.equal(licenseEndOf({ ...on31, terms: month })?.toISOString(), '2027-02-28T10:00:00.000Z')
    const both = { ...month, expire_after_first_use: 48, expiration_date: new Date('2027-03-01T00:00:00Z') }
    const used = { ...on31, terms: both, first_used_at: new Date('2027-02-01T00:00:00Z') }
    assert.equal(licenseEndOf(used)?.toISOString(), '2027-02-03T00:00:00.000Z')
    assert.equal(licenseEndOf({ ...on31, terms: ALL }), null)
  })

  test('end with the last year that has four digits', () => {
    const long = { ...ALL, expire_after_acquisition: 50_000, expire_after_acquisition_mode: 2 }
    const late = { acquired_at: new Date('5900-01-01T00:00:00Z'), released_at: null, first_used_at: null, terms: long }
    assert.equal(licenseEndOf(late)?.toISOString(), '9999-12-31T23:59:59.000Z')
  })

  test('of something ordered in advance begin at its release', () => {
    const preOrder = rights({ expire_after_acquisition: 24 }, { released_at: later(240) })
    assert.equal(decide(preOrder, ask(), later(239)), 'not_released')
    assert.equal(decide(preOrder, ask(), later(240)), 'allowed')
    assert.equal(licenseEndOf(preOrder)?.getTime(), later(264).getTime())
  })

  test('years of a license begin on the day of acquisition', () => {
    const leap = { acquired_at: new Date('2028-02-29T22:00:00Z'), released_at: null }
    assert.equal(yearOf(leap, new Date('2029-02-27T23:59:59Z')), 0)
    assert.equal(yearOf(leap, new Date('2029-02-28T00:00:00Z')), 1)
    assert.equal(nextYearOf(leap, new Date('2028-03-01T00:00:00Z')).toISOString(), '2029-02-28T00:00:00.000Z')
  })
})
