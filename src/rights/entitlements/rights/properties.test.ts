import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, readMessages } from '#platform/text/messages.ts'
import { ALBUM, ask, BOOK, BOUGHT, FILM, HOUR, later, on, rights, use, useAll } from '#test/rights.ts'
import { clausesOf } from './clauses.rules.ts'
import { endOf, yearOf } from './periods.rules.ts'
import { afterAction, decide, HOLD_MS, type Refusal, remainingOf, statusOf } from './rules.ts'
import { refusalInWords, termsInWords } from './sentences.rules.ts'
import type { Action, Ask, Rights } from './state.ts'

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
    assert.equal(decide(before, on('tv'), BOUGHT) === 'allowed', !kinds.has('no playing'), say)
  }
})

test('a limit is said once, and a limit of none is said in words', () => {
  const said = (terms: object) => termsInWords(rights({ total_export: 0, burn_play: 0, ...terms }), 'en')
  for (const [terms, words] of [
    [{ total_downloads: -1, annual_downloads: -1 }, ''],
    [{ total_downloads: 0, annual_downloads: -1 }, ' No downloads.'],
    [{ total_downloads: -1, annual_downloads: 0 }, ' No downloads.'],
    [{ total_downloads: 1, annual_downloads: 1 }, ' 1 download.'],
    [{ total_downloads: 5, annual_downloads: 5 }, ' 5 downloads.'],
    [{ total_downloads: 5, annual_downloads: 2 }, ' 5 downloads. 2 downloads a year.'],
    [{ total_concurrent_devices: 0 }, ' Cannot be played.'],
    [{ annual_concurrent_devices: 0, allow_play: 0 }, ' Cannot be played.'],
    [{ total_concurrent_devices: 1 }, ' On 1 device at a time.'],
    [{ burn_play: 1 }, ' May be burnt once.'],
    [{ burn_play: 5 }, ' May be burnt 5 times.'],
    [{ burn_play: 0, export_pdf_print: 1 }, ''],
    [{ burn_play: 1, export_pdf_print: 1 }, ' May be printed, 1 page at a time.'],
    [{ total_export: 3, annual_export: 3 }, ' 3 exports without copy protection.'],
  ] as const)
    assert.equal(said(terms), `Yours to keep.${words}`)
  const onNone = rights({ total_concurrent_devices: 0 })
  assert.equal(decide(onNone, on('tv'), BOUGHT), 'device_limit')
  assert.equal(refusalInWords('device_limit', onNone, BOUGHT, 'en'), 'It cannot be played under this license.')
  for (const language of LANGUAGES)
    for (const name of ['downloads', 'concurrent_devices', 'export'])
      for (const limit of [-1, 0, 1, 5]) {
        const terms = { [`total_${name}`]: limit, [`annual_${name}`]: limit, burn_play: limit }
        assert.doesNotMatch(termsInWords(rights(terms), language), /(^|\D)0|-1/)
      }
})

test('every language has its own sentences, and none shows a gap', () => {
  const refusals = [...readMessages('en').keys()].flatMap((key) =>
    key.startsWith('rights.refusals.') ? [key.slice('rights.refusals.'.length) as Refusal] : [],
  )
  assert.ok(refusals.length > 20)
  for (const refusal of refusals) {
    const sentences = LANGUAGES.map((language) =>
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
