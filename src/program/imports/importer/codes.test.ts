import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aCustomer } from '#test/customers.ts'
import { aProduct, RENT, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aCsvImport, importsOf, pathOf } from '#test/imports.ts'
import { aFilm, someGoods } from '#test/orders.ts'
import { aMirroredFilm } from '#test/sales.ts'
import { aUser } from '#test/users.ts'

const service = useService()
const { work, undo, read, change } = importsOf(service)

// On a slow machine, a wait of a second would be over before the next guess.
before(() => service.clock.stop())

async function scene() {
  const shop = await service.openShop()
  return { shop, film: await aFilm(service, shop, 1000, { title: 'Winter Light' }), customer: await aCustomer(shop) }
}

const linesOf = (...lines: string[]) => ['code,product,license,uses,expiry,note', ...lines, ''].join('\n')

async function bringIn(shop: Shop, content: string): Promise<Wire> {
  const file = await aCsvImport(service, shop, content)
  assert.equal(file.kind, 'redemption_codes')
  const done = await work(shop, file, '/run')
  assert.equal(done.state, 'imported', JSON.stringify([done.problem, done.report]))
  return done
}

async function codesOf(shop: Shop, query = ''): Promise<Wire[]> {
  return (await shop.get(`/api/redemption_codes.json${query}`)).body.redemption_codes
}

const printedIn = async (shop: Shop, query = '') => (await codesOf(shop, query)).map(({ code }) => code)

const redeem = (shop: Shop, { token }: Wire, code: string) =>
  shop.post(`/api/customers/${token}/redeem.json`, { redeem: { code } })

const placesIn = ({ report }: Wire) => report.mistakes.map(({ line, field, reason }: Wire) => [line, field, reason])

describe('codes that were printed elsewhere', () => {
  test('are previewed, imported as they are printed, and redeemed however they are typed', async () => {
    const { shop, film, customer } = await scene()
    const content = linesOf(
      'Winter-2031-abX,Winter Light,,3,2090-12-31,Book fair',
      `0012345678,${film.product_id},Buy,,31.12.2090,`,
    )
    const file = await aCsvImport(service, shop, content)
    const checked = await work(shop, file, '/check')
    assert.deepEqual(checked.report.counts, { created: 2, changed: 0, unchanged: 0, skipped: 0, refused: 0 })
    assert.deepEqual(checked.report.examples[0].values, {
      code: 'Winter-2031-abX',
      product: 'Winter Light',
      uses: '3',
      expires_at: '2090-12-31',
      note: 'Book fair',
    })
    assert.deepEqual(await codesOf(shop), [])
    assert.equal((await work(shop, file, '/run')).state, 'imported')
    const [first, second] = await codesOf(shop)
    const shown = ({ code, product_id, license_id, uses, expires_at, note, state }: Wire) => [
      code,
      product_id,
      license_id,
      uses,
      expires_at,
      note,
      state,
    ]
    // The last day is a day on which they can be redeemed.
    const end = '2091-01-01T00:00:00'
    assert.deepEqual(shown(first ?? {}), ['Winter-2031-abX', film.product_id, 1, 3, end, 'Book fair', 'active'])
    assert.deepEqual(shown(second ?? {}), ['0012345678', film.product_id, 1, 1, end, '', 'active'])
    for (const typed of ['winter2031abx', ' WINTER 2031 – ABX', 'Winter-2031-abX']) {
      const answer = await redeem(shop, customer, typed)
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.body.entitlements[0].product_id, film.product_id)
    }
    assert.equal((await redeem(shop, customer, 'WINTER2031ABX')).body.reason, 'redemption_code_used_up')
    assert.deepEqual(await printedIn(shop, '?code=winter%202031abx'), ['Winter-2031-abX'])
    assert.deepEqual(await printedIn(shop, '?q=winter20'), ['Winter-2031-abX'])
    assert.deepEqual(await printedIn(shop, '?q=00-12'), ['0012345678'])
    assert.equal((await shop.get('/api/redemption_codes/count.json?q=win-ter')).body.count, 1)
  })

  test('are refused by line if anybody could guess them, or if the line is wrong', async () => {
    const { shop, film } = await scene()
    const [other, mug, mirror] = [
      await service.openShop(),
      await someGoods(service, shop),
      await aMirroredFilm(service, shop),
    ]
    const theirs = await aProduct(other, { title: 'Theirs' })
    const long = 'A1B2'.repeat(16_384)
    const lines: [string, string, string | null, string][] = [
      ['ABC-123', film.product_id, 'code', 'own_code_too_short'],
      ['123-456-789', film.product_id, 'code', 'own_code_too_short'],
      ['AAAA-1111-AAAA', film.product_id, 'code', 'own_code_too_simple'],
      ['1234567890', film.product_id, 'code', 'own_code_too_simple'],
      ['GESCHENK-ÄÖÜ-77', film.product_id, 'code', 'own_code_unreadable'],
      ['1.23457E+15', film.product_id, 'code', 'own_code_unreadable'],
      ['A1B2C3D4E5F6'.repeat(4), film.product_id, 'code', 'own_code_unreadable'],
      [long, film.product_id, 'code', 'field_too_long'],
      ['', film.product_id, 'code', 'field_required'],
      ['KEEP-7777-ABCD', theirs.product_id, 'product', 'product_unknown'],
      ['KEEP-7778-ABCD', String(theirs.id), 'product', 'product_unknown'],
      ['KEEP-7779-ABCD', 'Theirs', 'product', 'product_unknown'],
      ['KEEP-7780-ABCD', '', 'product', 'product_unknown'],
      ['KEEP-7781-ABCD', mug.product_id, 'product', 'product_not_redeemable'],
      ['KEEP-7782-ABCD', mirror.product_id, 'product', 'mirrored_product_not_given'],
      ['KEEP-7783-ABCD', `${film.product_id},${RENT}`, 'license', 'license_not_bound'],
      ['KEEP-7784-ABCD', `${film.product_id},No such license`, 'license', 'license_unknown'],
      ['KEEP-7785-ABCD', `${film.product_id},,0`, 'uses', 'field_out_of_range'],
      ['KEEP-7786-ABCD', `${film.product_id},,many`, 'uses', 'not_a_number'],
      ['KEEP-7787-ABCD', `${film.product_id},,1000001`, 'uses', 'field_out_of_range'],
      ['KEEP-7788-ABCD', `${film.product_id},,,2020-01-01`, 'expires_at', 'redemption_expiry_passed'],
      ['KEEP-7789-ABCD', `${film.product_id},,,30.02.2090`, 'expires_at', 'not_a_time'],
      ['KEEP-7790-ABCD', `${film.product_id},,,,${'n'.repeat(1001)}`, 'note', 'field_too_long'],
      ['KEEP-7791-ABCD', `${film.product_id},,,,a\0b`, 'note', 'field_not_storable'],
      ['KEEP-7792-ABCD', `No\0such`, 'product', 'field_not_storable'],
      ['TWICE-7793-AB', film.product_id, null, ''],
      ['twice 7793ab', film.product_id, 'code', 'duplicate'],
    ]
    const file = await aCsvImport(service, shop, linesOf(...lines.map(([code, rest]) => `${code},${rest}`)))
    const checked = await work(shop, file, '/check')
    assert.equal(checked.state, 'checked', JSON.stringify(checked.problem))
    const wrong = lines.flatMap(([, , field, reason], index) => (field === null ? [] : [[index + 2, field, reason]]))
    assert.deepEqual(placesIn(checked), wrong)
    assert.ok(checked.report.mistakes.every(({ value }: Wire) => value === null || value.length <= 500))
    assert.equal((await work(shop, file, '/run')).state, 'checked')
    assert.deepEqual(await codesOf(shop), [])
  })

  test('are imported once, and are no code for something else afterwards', async () => {
    const { shop, film } = await scene()
    const book = await aProduct(shop, { title: 'Book', published: true })
    const made = await shop.post('/api/redemption_codes.json', { redemption_code: { product_id: film.product_id } })
    const [{ code: ofService }] = made.body.redemption_codes
    await bringIn(shop, linesOf('CARD-0001-XYZ,Winter Light'))
    const again = await bringIn(
      shop,
      linesOf('card 0001 xyz,Winter Light,,9,,Other', `${ofService.replaceAll('-', '').toLowerCase()},Winter Light`),
    )
    assert.deepEqual(again.report.counts, { created: 0, changed: 0, unchanged: 2, skipped: 0, refused: 0 })
    const wrong = await work(
      shop,
      await aCsvImport(service, shop, linesOf(`CARD-0001-XYZ,${book.product_id}`, `${ofService},Book`)),
      '/run',
    )
    assert.deepEqual(placesIn(wrong), [
      [2, 'code', 'own_code_taken'],
      [3, 'code', 'own_code_taken'],
    ])
    assert.deepEqual(
      (await codesOf(shop)).map(({ code, title, uses, note }) => [code, title, uses, note]),
      [
        [ofService, 'Winter Light', 1, ''],
        ['CARD-0001-XYZ', 'Winter Light', 1, ''],
      ],
    )
    // Another company may have printed the same.
    const other = await scene()
    await bringIn(other.shop, linesOf('CARD0001XYZ,Winter Light'))
    assert.deepEqual(await printedIn(other.shop), ['CARD0001XYZ'])
  })

  test('are there once if two files with them are imported at the same time', async () => {
    const { shop } = await scene()
    const lines = Array.from(
      { length: 300 },
      (_, index) => `GIFT-${(index * 7919 + 10_000).toString(36)}-QRST,Winter Light`,
    )
    const files = [
      await aCsvImport(service, shop, linesOf(...lines)),
      await aCsvImport(service, shop, linesOf(...lines.toReversed())),
    ]
    for (const file of files) assert.equal((await shop.post(pathOf(file, '/run'))).status, 200)
    await Promise.all([service.runJobs(), service.runJobs()])
    await service.runJobs()
    const done = await Promise.all(files.map((file) => read(shop, file)))
    assert.deepEqual(
      done.map(({ state }) => state),
      ['imported', 'imported'],
      JSON.stringify(done.map(({ problem }) => problem)),
    )
    assert.deepEqual(done.map(({ report }) => report.counts.created).sort(), [0, 300])
    assert.equal((await shop.get('/api/redemption_codes/count.json')).body.count, 300)
  })

  test('of one product can be a bare list, and numbers that follow each other are told', async () => {
    const { shop, film } = await scene()
    const file = await aCsvImport(service, shop, 'code\nPROMO-0001\nPROMO-0002\nPROMO-0009\n', '?kind=redemption_codes')
    await change(shop, file, { defaults: [{ field: 'product', value: film.product_id }] })
    const checked = await work(shop, file, '/check')
    assert.deepEqual(
      checked.report.warnings.map(({ reason, lines }: Wire) => [reason, lines]),
      [['own_codes_in_a_row', [3]]],
    )
    assert.equal((await work(shop, file, '/run')).report.counts.created, 3)
  })

  test('count as guesses where nothing checks them', async () => {
    const { shop, customer } = await scene()
    await bringIn(shop, linesOf('CARD-0001-XYZ,Winter Light'))
    const player = await shop.asCustomer(customer.id)
    const answers = []
    for (let tries = 0; tries < 9; tries += 1) answers.push(await redeem(player, customer, `CARD-000${tries}-XYA`))
    assert.equal(answers[0]?.body.reason, 'redemption_code_unknown')
    assert.equal(answers.at(-1)?.status, 429)
    // Nobody guesses the right one meanwhile.
    assert.equal((await redeem(player, customer, 'CARD-0001-XYZ')).status, 429)
    service.clock.advance(901)
    assert.equal((await redeem(await shop.asCustomer(customer.id), customer, 'CARD-0001-XYZ')).status, 201)
  })

  test('are for those who may make codes, and nobody else sees the files', async () => {
    const { shop } = await scene()
    const file = await aCsvImport(service, shop, linesOf('CARD-0001-XYZ,Winter Light'))
    const app = await shop.withScopes('products')
    const member = await shop.asUser((await aUser(service, shop, { permissions: { request_products: 1 } })).id)
    for (const [caller, reason] of [
      [app, 'scope_missing'],
      [member, 'permission_missing'],
    ] as const) {
      for (const answer of [await caller.post(pathOf(file, '/run')), await caller.get(pathOf(file))])
        assert.deepEqual([answer.status, answer.body.reason], [403, reason])
      const list = await caller.get('/api/imports.json')
      assert.deepEqual(list.body.imports, [], list.text)
    }
    assert.equal((await shop.get('/api/imports.json')).body.imports.length, 1)
  })
})

describe('an import of codes that is undone', () => {
  test('takes back what nobody has redeemed, changed or given', async () => {
    const { shop, customer } = await scene()
    const codes = ['FREE', 'USED', 'NOTE', 'GIFT'].map((name) => `${name}-1234-WXYZ`)
    const done = await bringIn(shop, linesOf(...codes.map((code) => `${code},Winter Light`)))
    const [, , noted, given] = await codesOf(shop)
    assert.equal((await redeem(shop, customer, 'used1234wxyz')).status, 201)
    await shop.put(`/api/redemption_codes/${noted?.id}.json`, { redemption_code: { note: 'Kept' } })
    const gift = { email: 'otto@example.com', send_at: '2090-01-01' }
    assert.equal((await shop.post(`/api/redemption_codes/${given?.id}/gift.json`, { gift })).status, 201)
    const undone = await undo(shop, done)
    assert.deepEqual([undone.state, undone.undo.removed, undone.undo.kept], ['undone', 1, 3])
    assert.deepEqual(
      undone.undo.lines.map(({ line, name, reason }: Wire) => [line, name, reason]),
      codes.slice(1).map((code, index) => [index + 3, code, 'in_use']),
    )
    assert.deepEqual(await printedIn(shop), codes.slice(1))
    assert.equal((await redeem(shop, customer, 'FREE-1234-WXYZ')).body.reason, 'redemption_code_unknown')
    // It can be imported again.
    assert.equal((await bringIn(shop, linesOf('FREE-1234-WXYZ,Winter Light'))).report.counts.created, 1)
  })

  test('never takes away a code that is redeemed at the same time', async () => {
    const { shop, customer } = await scene()
    const codes = Array.from({ length: 60 }, (_, index) => `RACE-${index + 100}-KLMN`)
    const done = await bringIn(shop, linesOf(...codes.map((code) => `${code},Winter Light`)))
    assert.equal((await shop.post(pathOf(done, '/undo'))).status, 200)
    const [answers] = await Promise.all([
      Promise.all(codes.filter((_, index) => index % 2 === 0).map((code) => redeem(shop, customer, code))),
      service.runJobs(),
    ])
    await service.runJobs()
    const redeemed = answers.filter(({ status }) => status === 201).length
    for (const { status, body } of answers)
      assert.ok(status === 201 || body.reason === 'redemption_code_unknown' || status === 429, JSON.stringify(body))
    const after = await read(shop, done)
    assert.deepEqual([after.state, after.undo.kept, after.undo.removed], ['undone', redeemed, codes.length - redeemed])
    const left = await codesOf(shop)
    assert.deepEqual(
      left.map(({ used }) => used),
      left.map(() => 1),
    )
    assert.equal(left.length, redeemed)
    const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
    assert.equal(content.length, redeemed)
  })
})

describe('an export of codes', () => {
  test('is imported into another company, where what is left can be redeemed', async () => {
    const { shop, film, customer } = await scene()
    const empty = await service.openShop()
    await aFilm(service, empty, 1000, { title: 'Winter Light' })
    await bringIn(
      shop,
      linesOf(
        'Card-0001-xyz,Winter Light,,3,2090-12-31,"Quotes "", and; more"',
        'USED-0001-XYZ,Winter Light',
        'STOP-0001-XYZ,Winter Light',
      ),
    )
    await shop.post('/api/redemption_codes.json', { redemption_code: { product_id: film.product_id, note: '=1+1' } })
    for (const code of ['CARD-0001-XYZ', 'USED-0001-XYZ'])
      assert.equal((await redeem(shop, customer, code)).status, 201)
    const [stopped] = await codesOf(shop, '?code=stop0001xyz')
    await shop.delete(`/api/redemption_codes/${stopped?.id}.json`)
    const { text } = await shop.get('/api/redemption_codes.json?format=csv')
    // In its own company, the file changes nothing.
    const own = await bringIn(shop, text)
    assert.deepEqual(own.report.counts, { created: 0, changed: 0, unchanged: 2, skipped: 2, refused: 0 })
    const { report } = await bringIn(empty, text)
    assert.deepEqual([report.counts.created, report.counts.skipped], [2, 2])
    const parts = ({ code, uses, expires_at, note, license_title, hd }: Wire) => [
      code,
      uses,
      expires_at,
      note,
      license_title,
      hd,
    ]
    const [first, , , last] = await codesOf(shop)
    assert.deepEqual(
      (await codesOf(empty)).map(parts),
      [{ ...first, uses: 2 }, last ?? {}].map((code) => parts(code)),
    )
    // What was exported there is the same file once more.
    const again = (await empty.get('/api/redemption_codes.json?format=csv')).text
    assert.deepEqual((await bringIn(empty, again)).report.counts.unchanged, 2)
  })
})
