import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { newGateway } from '../rules.ts'
import { ALL_GATEWAYS, GATEWAYS } from './table.facts.ts'

const service = useService()

/** The fields of a schema of settings. */
const fieldsOf = (schema: object) =>
  Object.keys('properties' in schema && schema.properties instanceof Object ? schema.properties : {})

describe('every gateway', () => {
  test('changes nothing but stored columns and its own keys', () => {
    for (const { key, kind } of ALL_GATEWAYS) {
      const columns = Object.keys(newGateway(1, kind.name, new Date(0)))
      const keys = kind.keys.map(({ field }) => field)
      const input = fieldsOf(kind.input)
      assert.ok(input.includes('enabled'), key)
      assert.deepEqual(
        input.filter((field) => !columns.includes(field) && !keys.includes(field)),
        [],
      )
      for (const field of [...keys, ...kind.options.map((option) => option.field)])
        assert.ok(input.includes(field), key)
    }
  })

  test('shows no key', () => {
    for (const { key, kind } of ALL_GATEWAYS) {
      const keys = Object.fromEntries(kind.keys.map(({ field }) => [field, 'a secret']))
      const shown = kind.show({ ...newGateway(1, kind.name, new Date(0)), keys, webhookUrl: '' })
      assert.deepEqual(Object.keys(shown as object), fieldsOf(kind.settings), key)
      assert.ok(!JSON.stringify(shown).includes('a secret'), key)
    }
  })

  test('can be turned on or off by an option of its own', () => {
    const flags = ALL_GATEWAYS.flatMap(({ key, kind }) => [key, ...kind.options.map(({ flag }) => flag)])
    assert.equal(new Set(flags).size, flags.length)
    for (const flag of flags) assert.match(flag, /^[a-z]+(-[a-z]+)*$/)
  })

  test('that is none of the table has no webhook', async () => {
    const { companyId } = await service.openShop()
    const send = async (gateway: string) =>
      (await service.call('POST', `/payments/${companyId}/${gateway}`, { body: '{}' })).status
    assert.deepEqual(await Promise.all(['none', 'Stripe', 'constructor'].map(send)), [404, 404, 404])
    for (const { key } of ALL_GATEWAYS) assert.equal(await send(key), 400, key)
  })
})

describe('charging again', () => {
  test('is what a gateway says it cannot do that keeps no means of payment', () => {
    const { outbound } = service
    const keys = { secret_key: 'any' }
    const connection = {
      companyId: 1,
      settings: undefined,
      keys,
      url: 'http://127.0.0.1:9',
      webhookUrl: 'http://127.0.0.1:9',
      outbound,
      aheadMs: 0,
    }
    const gateway = GATEWAYS.manual.open(connection)
    assert.ok(gateway !== undefined && gateway.chargeAgain === undefined && gateway.describeMeans === undefined)
  })
})
