import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { allSettings, ConfigError, readConfig } from './config.ts'
import { SECRET_SETTINGS } from './secret-files.ts'

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

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'licet-secrets-'))
  after(() => rmSync(folder, { recursive: true }))
  const fileWith = (text: string) => {
    const file = join(folder, String(Math.random()))
    writeFileSync(file, text)
    return file
  }
  const mistakesOf = (env: Record<string, string>) => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      assert.ok(error instanceof ConfigError)
      return error.mistakes
    }
  }

  test('counts as its setting, without the line break at its end', () => {
    const config = readConfig({
      DATABASE_URL_FILE: fileWith('postgres://licet:p@db/licet\n'),
      LICET_SECRET_FILE: fileWith('s'.repeat(40)),
      LICET_METRICS_TOKEN_FILE: fileWith('a token for figures\r\n'),
      LICET_SMTP_URL_FILE: fileWith('smtp://licet:p@mail.example.com:587'),
      LICET_MAIL_FROM: 'shop@example.com',
      LICET_S3_BUCKET: 'shop',
      LICET_S3_ACCESS_KEY_ID_FILE: fileWith('key\n'),
      LICET_S3_ACCESS_SECRET_FILE: fileWith('secret\n'),
      LICET_TOKEN_FILE: fileWith('token'),
    })
    assert.equal(config.databaseUrl, 'postgres://licet:p@db/licet')
    assert.equal(config.secret, 's'.repeat(40))
    assert.equal(config.metricsToken, 'a token for figures')
    assert.equal(config.mail?.server.host, 'mail.example.com')
    assert.deepEqual(config.s3?.credentials, { accessKeyId: 'key', secretAccessKey: 'secret' })
    assert.equal(config.token, 'token')
  })

  test('is offered for every setting that has a secret', () => {
    const named = Object.keys(allSettings({})).filter((name) => /URL$|TOKEN|SECRET|KEY_ID|PASSWORD|HEADERS/.test(name))
    const open = ['LICET_BASE_URL', 'LICET_CURRENCY_RATES_URL', 'LICET_DRM_PROXY_URL', 'LICET_VIES_URL']
    assert.deepEqual(named.filter((name) => !open.includes(name)).sort(), [...SECRET_SETTINGS].sort())
  })

  test('is a mistake beside its setting, where it cannot be read, and where it is empty', () => {
    const file = fileWith('x'.repeat(40))
    assert.deepEqual(mistakesOf({ LICET_SECRET: 'y'.repeat(40), LICET_SECRET_FILE: file }), [
      'LICET_SECRET and LICET_SECRET_FILE must not both be set.',
    ])
    const missing = join(folder, 'missing')
    const empty = fileWith('\n')
    assert.deepEqual(
      mistakesOf({ LICET_SECRET_FILE: missing, DATABASE_URL_FILE: folder, LICET_METRICS_TOKEN_FILE: empty }),
      [
        `DATABASE_URL_FILE names a file that can't be read (EISDIR): ${folder}.`,
        `LICET_SECRET_FILE names a file that can't be read (ENOENT): ${missing}.`,
        `LICET_METRICS_TOKEN_FILE names an empty file, ${empty}.`,
      ],
    )
  })

  test('is checked as its setting is, and not repeated in a message', () => {
    assert.deepEqual(mistakesOf({ DATABASE_URL_FILE: fileWith('mysql://user:hunter2@host/name') }), [
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/name, not "…".',
    ])
  })

  test('is none where the name is empty, and no other setting has one', () => {
    assert.equal(readConfig({ LICET_SECRET_FILE: '', LICET_SECRET: 'y'.repeat(40) }).secret, 'y'.repeat(40))
    assert.equal(readConfig({ HOST_FILE: fileWith('example.com') }).host, '127.0.0.1')
  })
})
