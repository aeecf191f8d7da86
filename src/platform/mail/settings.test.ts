import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from '../settings/config.ts'
import { isMailAddress, isOnThisMachine, parseMailbox, parseMailServer } from './settings.ts'

function mistakes(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.mistakes
  }
}

describe('LICET_SMTP_URL', () => {
  test('names a server, how to reach it and how to sign in', () => {
    assert.deepEqual(parseMailServer('smtp://mail.example.com'), {
      host: 'mail.example.com',
      port: 587,
      secure: false,
      login: undefined,
    })
    assert.deepEqual(parseMailServer('smtps://me%40example.com:p%40ss%3A%2F@mail_1:2465/'), {
      host: 'mail_1',
      port: 2465,
      secure: true,
      login: { user: 'me@example.com', password: 'p@ss:/' },
    })
    assert.equal(parseMailServer('smtps://mail.example.com')?.port, 465)
    assert.equal(parseMailServer('smtp://[::1]:25')?.host, '::1')
  })

  test('is refused where it cannot be meant, without repeating the password', () => {
    for (const url of [
      'mail.example.com',
      'http://mail.example.com',
      'smtp://',
      'smtp:mail.example.com',
      'smtp://me@mail.example.com',
      'smtp://:hunter2@mail.example.com',
      'smtp://me:hunter2%@mail.example.com',
      'smtp://me:hunter2@mail.example.com/path',
      'smtp://me:hunter2@mail.example.com?tls.rejectUnauthorized=false',
      'smtp://me:hunter2@mail.example.com:99999',
      'smtp://me:hunter2@mail.example.com:0',
      'smtp://me:hunter2@mail example.com',
      'smtp://me:hunter2@mail.example.com\r\nQUIT',
    ]) {
      const told = mistakes({ LICET_SMTP_URL: url, LICET_MAIL_FROM: 'a@example.com' })
      assert.deepEqual(told, ['LICET_SMTP_URL must be an address such as smtp://user:password@host:587, not "…".'], url)
    }
  })

  test('counts as this machine by its loopback address only', () => {
    const local = (host: string) => isOnThisMachine({ host, port: 25, secure: false, login: undefined })
    assert.ok(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1'].every(local))
    assert.ok(!['localhost.example.com', '10.0.0.1', '192.0.2.1', '::2', '127.0.0.1.example.com'].some(local))
  })
})

describe('LICET_MAIL_FROM', () => {
  test('is an address, with a name or without', () => {
    assert.deepEqual(parseMailbox('Books & Co <shop@example.com>'), { name: 'Books & Co', address: 'shop@example.com' })
    assert.deepEqual(parseMailbox('"Books, Co" <shop@example.com>'), { name: 'Books, Co', address: 'shop@example.com' })
    assert.deepEqual(parseMailbox(' shop@example.com '), { name: '', address: 'shop@example.com' })
    assert.deepEqual(parseMailbox('<shop@example.com>'), { name: '', address: 'shop@example.com' })
    for (const text of ['', 'Books', 'a@b@c', 'A <a@b>, B <c@d>', 'A\r\nBcc: x@y <a@b>', 'a@b\nc', 'A <a@b', 'A <>'])
      assert.equal(parseMailbox(text), undefined, JSON.stringify(text))
    assert.match(mistakes({ LICET_MAIL_FROM: 'Books' })[0] ?? '', /^LICET_MAIL_FROM must be a sender such as .*"Books"/)
  })

  test('is made of the address of the service where it has a name', () => {
    const from = (env: Record<string, string>) => readConfig({ LICET_SMTP_URL: 'smtp://mail', ...env }).mail?.from
    assert.deepEqual(from({ LICET_BASE_URL: 'https://shop.example.com:8443/x' }), {
      name: 'Licet',
      address: 'no-reply@shop.example.com',
    })
    assert.deepEqual(from({ LICET_BASE_URL: 'http://10.0.0.1', LICET_MAIL_FROM: 'A <a@example.com>' }), {
      name: 'A',
      address: 'a@example.com',
    })
    assert.equal(readConfig({ LICET_MAIL_FROM: 'a@example.com' }).mail, undefined)
  })

  test('must be given where the address has none, and this is told along with every other mistake', () => {
    const sentence =
      'LICET_MAIL_FROM must be set: LICET_BASE_URL has no host name to make a sender of for LICET_SMTP_URL.'
    for (const base of ['', 'http://10.0.0.1', 'http://[::1]:3000'])
      assert.deepEqual(mistakes({ LICET_SMTP_URL: 'smtp://mail', LICET_BASE_URL: base }), [sentence])
    assert.deepEqual(mistakes({ LICET_SMTP_URL: 'smtp://mail', PORT: 'x' }).slice(1), [sentence])
  })
})

test('an email address is one address', () => {
  for (const text of ['jane@example.com', "o'neil+x@sub.example.co", 'jörg@bücher.example', 'a@localhost'])
    assert.ok(isMailAddress(text), text)
  for (const text of [
    'a@b c',
    'a b@c',
    'a@b\n',
    '\ta@b',
    'a@b\0',
    'a@b,c@d',
    '<a@b>',
    'a',
    'a@',
    '@b',
    `${'a'.repeat(65)}@b`,
  ])
    assert.ok(!isMailAddress(text), text)
})
