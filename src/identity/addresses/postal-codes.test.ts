import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOME, openCheckout, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm, someGoods } from '#test/orders.ts'

const service = useService()

describe('the postal code of an address', () => {
  test('is required where the country has one, and has to look like one', async () => {
    const at = await openCheckout(service)
    const mug = await someGoods(service, at.shop)
    const guest = at.guest()
    await put(guest, at.base, mug)
    const { zip: _zip, ...nowhere } = HOME
    const details = { email: anEmail(), ...nowhere }
    const wrong = [
      ['DE', '', 'Please fill this in.'],
      ['DE', '1011', 'This is not a postal code of Germany.'],
      ['GB', 'London', 'This is not a postal code of United Kingdom.'],
      ['DE', `10115${'0'.repeat(45)}`, 'This is not a postal code of Germany.'],
    ] as const
    for (const [country, zip, message] of wrong) {
      const answer = await tell(guest, at.base, { ...details, country, zip })
      assert.equal(answer.status, 422, `${country} ${zip}`)
      assert.ok(answer.text.includes(`id="zip-e">${message}`), `${country} ${zip}: ${message}`)
    }
    for (const [country, zip] of [
      ['DE', 'd-10115'],
      ['GB', 'sw1a1aa'],
      ['JP', '1000001'],
      ['NL', '1012ab'],
      ['AE', ''],
      ['HK', ''],
      ['AE', 'none'],
    ] as const) {
      const answer = await tell(guest, at.base, { ...details, country, zip })
      assert.equal(answer.status, 200, `${country} ${zip}: ${answer.text}`)
    }
    const { text } = await guest.get(`${at.base}/checkout`)
    assert.match(text, /<label for="zip">Postal code<\/label><input (?![^>]* required)/, 'the Emirates have none')
  })

  test('is not asked for where nothing is sent', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    assert.equal((await tell(guest, at.base, { email: anEmail() })).status, 200)
  })
})
