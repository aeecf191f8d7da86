import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const NOWHERE = { loopback: false, networks: [] }

describe('where requests to addresses from outside may go', () => {
  test('is the machine itself for a service that nobody else reaches, and no private network', () => {
    const here = { loopback: true, networks: [] }
    for (const env of [{}, { HOST: '::1' }, { HOST: 'localhost', LICET_BASE_URL: 'http://127.0.0.1:3000' }])
      assert.deepEqual(readConfig(env).allowed, here, JSON.stringify(env))
  })

  test('is the open internet alone as soon as others reach the service', () => {
    for (const env of [
      { NODE_ENV: 'production' },
      { HOST: '0.0.0.0' },
      { HOST: '192.168.1.5' },
      { DATABASE_URL: 'postgres://localhost/licet' },
      { LICET_BASE_URL: 'https://shop.example.com' },
      { LICET_ALLOW_LOOPBACK: 'off' },
    ])
      assert.deepEqual(readConfig(env).allowed, NOWHERE, JSON.stringify(env))
  })

  test('is what the operator names', () => {
    const env = { NODE_ENV: 'production', LICET_ALLOW_LOOPBACK: 'on', LICET_ALLOW_NETWORKS: '10.1.0.0/16, 192.168.1.5' }
    assert.deepEqual(readConfig(env).allowed, { loopback: true, networks: ['10.1.0.0/16', '192.168.1.5'] })
    assert.throws(() => readConfig({ LICET_ALLOW_NETWORKS: 'everything' }), ConfigError)
  })
})

describe('the addresses of gateways', () => {
  const urls = { cards: 'https://cards.example', banks: 'https://banks.example' }

  test('are their own unless a setting says otherwise', () => {
    assert.deepEqual(readConfig({}, urls).serviceUrls.gateways, urls)
    const changed = readConfig({ LICET_BANKS_URL: 'http://127.0.0.1:9' }, urls).serviceUrls.gateways
    assert.deepEqual(changed, { ...urls, banks: 'http://127.0.0.1:9' })
  })

  test('must be addresses', () => {
    assert.throws(() => readConfig({ LICET_CARDS_URL: 'cards' }, urls), ConfigError)
  })
})
