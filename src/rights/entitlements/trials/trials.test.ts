import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ask, contentOf, pass, read } from '#test/entitlements.ts'
import { aLicense, aPrice, aProduct, RENT, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, order } from '#test/orders.ts'
import { ALBUM, BOOK, FILM, later } from '#test/rights.ts'

const service = useService()
const PATH = '/api/license_trials.json'
const RENTAL = {
  expire_after_first_use: 48,
  expire_after_acquisition: 30,
  expire_after_acquisition_mode: 1,
  total_concurrent_devices: 2,
  total_downloads: 1,
}

/** A time some hours after the purchase, as requests have it. */
const at = (hours: number) => later(hours).toISOString().slice(0, 19)
const play = (hours: number, device = 'tv') => ({ at: at(hours), action: 'play', device })

async function tryOut(shop: Shop, trial: object): Promise<Wire> {
  const answer = await shop.post(PATH, { bought_at: at(0), asked: play(1), ...trial })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.license_trial
}

describe('POST /api/license_trials.json', () => {
  test('says what would come of a situation, and why', async () => {
    const shop = await service.openShop()
    const codeOf = async (trial: object) =>
      (await tryOut(shop, { license: RENTAL, ...trial })).explanation.decision.code
    assert.equal(await codeOf({}), 'allowed')
    assert.equal(await codeOf({ asked: play(31 * 24) }), 'expired')
    assert.equal(await codeOf({ uses: [play(1)], asked: play(48) }), 'allowed')
    assert.equal(await codeOf({ uses: [play(1)], asked: play(49) }), 'expired')
    assert.equal(await codeOf({ other_devices: 1 }), 'allowed')
    assert.equal(await codeOf({ other_devices: 2 }), 'device_limit')
    const download = (hours: number) => ({ ...play(hours), action: 'download' })
    assert.equal(await codeOf({ uses: [download(1)], asked: download(2) }), 'downloads_used_up')
    assert.equal(await codeOf({ license_id: RENT, license: {}, asked: download(1) }), 'download_not_allowed')
    const refused = await tryOut(shop, { license: RENTAL, other_devices: 2, language: 'de' })
    assert.match(refused.explanation.decision.reason, /Gerät/)
    const verdicts = refused.explanation.rules.map(({ rule, verdict }: Wire) => [rule, verdict])
    assert.deepEqual(Object.fromEntries(verdicts).device, 'refused')
    assert.equal(verdicts.filter(([, verdict]: string[]) => verdict === 'refused').length, 1)
  })

  test('takes a license that exists with changes that are not saved', async () => {
    const shop = await service.openShop()
    const license = await aLicense(service, shop, RENTAL)
    const codeOf = async (changes: object) =>
      (await tryOut(shop, { license_id: license.id, license: changes, uses: [play(1)], asked: play(60) })).explanation
        .decision.code
    assert.equal(await codeOf({}), 'expired')
    assert.equal(await codeOf({ expire_after_first_use: 72 }), 'allowed')
    assert.deepEqual((await shop.get(`/api/licenses/${license.id}.json`)).body.license, license)
  })

  test('says where it is sold: what was sold can be used anywhere', async () => {
    const shop = await service.openShop()
    const license = { restriction_country: [{ country_id: 'DE' }] }
    const japan = await tryOut(shop, { license, country: 'Japan' })
    assert.deepEqual([japan.sold, japan.explanation.decision.code], [false, 'allowed'])
    assert.equal((await tryOut(shop, { license, country: 'de' })).sold, true)
    assert.equal((await tryOut(shop, { license })).sold, true)
  })

  test('tells at which times the answer would be another one', async () => {
    const shop = await service.openShop()
    const { periods, uses, until } = await tryOut(shop, { license: RENTAL, uses: [play(10)], asked: play(12) })
    assert.deepEqual(periods, [
      { from: at(0), code: 'allowed' },
      { from: at(58), code: 'expired' },
    ])
    assert.ok(until > at(58))
    assert.deepEqual(uses, [{ at: at(10), action: 'play', code: 'allowed', reason: null }])
    const each = await tryOut(shop, { license: { annual_downloads: 1 }, asked: { at: at(1), action: 'download' } })
    assert.deepEqual(each.periods, [{ from: at(0), code: 'allowed' }])
  })

  test('refuses what cannot be, at its field', async () => {
    const shop = await service.openShop()
    const stranger = await aLicense(service, await service.openShop())
    const reasonsOf = async (trial: object) => {
      const answer = await shop.post(PATH, { bought_at: at(0), asked: play(1), ...trial })
      assert.equal(answer.status, 422, answer.text)
      return Object.keys(answer.body.errors)
    }
    assert.deepEqual(await reasonsOf({ asked: play(-1) }), ['asked.at'])
    assert.deepEqual(await reasonsOf({ uses: [play(2), play(-2)] }), ['uses[1].at'])
    assert.deepEqual(await reasonsOf({ country: 'Atlantis' }), ['country'])
    assert.deepEqual(await reasonsOf({ license_id: stranger.id }), ['license_id'])
    assert.deepEqual(await reasonsOf({ until: at(0) }), ['until'])
    assert.deepEqual(await reasonsOf({ license: { total_downloads: -2 } }), ['total_downloads'])
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

type Random = ReturnType<typeof sequence>
const ACTIONS = ['play', 'play', 'download', 'export', 'burn', 'print']

function randomLicense(random: Random) {
  const count = () => [-1, 0, 1, 2, 5][random(5)]
  return {
    drm: random(5) === 0 ? 0 : 1,
    allow_play: random(6) === 0 ? 0 : 1,
    burn_play: count(),
    total_downloads: count(),
    annual_downloads: count(),
    total_export: count(),
    annual_export: count(),
    total_concurrent_devices: [-1, 1, 2, 5][random(4)],
    annual_concurrent_devices: [-1, -1, 1, 3][random(4)],
    delete_on_clock_rollback: random(8) === 0 ? 1 : 0,
    disable_on_clock_rollback: random(2),
    expire_after_acquisition: [0, 0, 30][random(3)],
    expire_after_acquisition_mode: random(3),
    expire_after_first_use: [0, 0, 48][random(3)],
    expire_after_first_use_mode: random(3),
    export_epub: random(2),
    export_mp3: random(2),
    export_pdf_print: random(2),
    ...(random(4) === 0 && { restriction_country: [{ country_id: random(2) === 0 ? 'DE' : 'JP' }] }),
  }
}

const randomAsk = (random: Random) => ({
  action: ACTIONS[random(ACTIONS.length)] ?? 'play',
  ...(random(8) > 0 && { device: `device ${random(3)}` }),
  pages: 1 + random(4),
})

/** The time on a device that is some minutes behind, or nothing. */
const clockOf = (random: Random, now: string) =>
  random(4) === 0 ? { client_time: new Date(Date.parse(`${now}Z`) - random(12) * 60_000).toISOString() } : {}

test('what a trial says is what happens to a purchase, whatever the license and the situation', async () => {
  service.clock.stop()
  let shop = await service.openShop()
  const price = await aPrice(service, shop)
  const now = () => service.clock.now().toISOString().slice(0, 19)
  const seen = new Set<string>()
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = sequence(seed * 7919)
    const terms = randomLicense(random)
    const product_type = [FILM, ALBUM, BOOK][random(3)] ?? FILM
    const license = await aLicense(service, shop, terms)
    const product = await aProduct(shop, {
      product_type,
      published: true,
      price_license_binding: [{ license_id: license.id, price_id: price.id }],
    })
    const customer = await aBuyer(shop)
    const bought_at = now()
    const sale = await order(shop, {
      customer_token: customer.token,
      line_items: [{ product_id: product.product_id, license_id: license.id }],
    })
    const tried = { license: terms, product_type, country: 'DE', bought_at }
    if (sale.status !== 201) {
      assert.equal(Object.values(sale.body.errors).length, 1, sale.text)
      assert.equal((await tryOut(shop, { ...tried, asked: { at: now(), action: 'play' } })).sold, false, sale.text)
      seen.add('not sold')
      continue
    }
    const [content] = await contentOf(shop, customer)
    const uses: object[] = []
    for (let step = random(5); step > 0; step -= 1) {
      shop = await pass(service, shop, 60 * random(random(2) === 0 ? 30 : 40_000))
      const asked = { ...randomAsk(random), ...clockOf(random, now()) }
      await ask(shop, 'use', content.id, asked)
      uses.push({ at: now(), ...asked })
    }
    shop = await pass(service, shop, 60 * random(random(2) === 0 ? 30 : 40_000))
    const asked = { ...randomAsk(random), ...clockOf(random, now()) }
    const other_devices = random(3)
    const trial = await tryOut(shop, { ...tried, uses, other_devices, asked: { at: now(), ...asked } })
    for (let other = 1; other <= other_devices; other += 1)
      await ask(shop, 'use', content.id, { action: 'play', device: `other ${other}` })
    const decision = await ask(shop, 'use', content.id, asked)
    assert.equal(trial.sold, true)
    assert.deepEqual(trial.explanation.decision, decision, `seed ${seed}: ${JSON.stringify({ terms, uses, asked })}`)
    const spans: Wire[] = trial.periods
    assert.equal(spans.findLast(({ from }) => from <= now())?.code, decision.code, `seed ${seed}: the time line`)
    const { first_used_at } = await read(shop, content.id)
    if (!decision.allowed) assert.equal(trial.first_used_at, first_used_at, `seed ${seed}`)
    seen.add(decision.code)
  }
  assert.ok(seen.has('not sold') && seen.has('allowed') && seen.size > 8, [...seen].join())
})
