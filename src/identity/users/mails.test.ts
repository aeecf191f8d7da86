import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mail } from '#platform/mail/layout.ts'
import { invitationMail, passwordChangedMail, resetMail } from './mails.ts'

const reader = { language: 'en', time_zone: 0 }
const link = 'https://shop.example.com/invitation/abc_-123'
const expires = new Date('2026-03-08T12:05:00Z')
const hostile = 'Books\r\nBcc: all@example.com <script>alert(1)</script> "&\u0000'

const MAILS: Record<string, (companyName: string) => Mail> = {
  invitation: (companyName) =>
    invitationMail(reader, { companyName, inviterName: companyName, link, expires, hasAccount: false }),
  reset: (companyName) => resetMail(reader, { companyName, link, expires }),
  'password changed': (companyName) =>
    passwordChangedMail(reader, { companyName, email: 'jane@example.com', changed: expires, link }),
}

describe('every mail', () => {
  for (const [name, make] of Object.entries(MAILS)) {
    test(`says the same in text and in HTML, and names the shop (${name})`, () => {
      const mail = make('Books & Co')
      assert.match(mail.subject, /Books & Co/)
      assert.match(mail.text, /the shop of Books & Co/)
      assert.match(mail.html, /the shop of Books &#38; Co/)
      assert.match(mail.text, new RegExp(`^${link}$`, 'm'))
      assert.ok(mail.html.includes(`href="${link}"`))
      assert.ok(!/<|&#|undefined|null/.test(mail.text), mail.text)
      const words = mail.html
        .replace(/<title>.*<\/title>/, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      for (const line of mail.text.split('\n')) assert.ok(words.includes(line.replace(/:$/, '')), line)
    })

    test(`isolates the names of people (${name})`, () => {
      const mail = make(hostile)
      assert.ok(!/[\r\n\0]/.test(mail.subject), mail.subject)
      assert.ok(!mail.html.includes('<script'), mail.html)
      assert.ok(!/^Bcc/m.test(mail.text), mail.text)
      assert.match(mail.text, /Books Bcc: all@example\.com <script>/)
    })

    test(`is readable on a phone (${name})`, () => {
      const { html } = make('Books')
      assert.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/)
      assert.match(html, /<meta name="viewport" content="width=device-width, initial-scale=1">/)
      assert.ok(!/width:\d{3,}px/.test(html.replace(/max-width:\d+px/g, '')))
      assert.ok(!/<img|<link|src=|url\(/.test(html), 'nothing is loaded from elsewhere')
    })
  }
})

test('an invitation names the inviter and the deadline', () => {
  const by = (inviterName: string | undefined) =>
    invitationMail(reader, { companyName: 'Books', inviterName, link, expires, hasAccount: false }).text
  assert.match(by('Jane Roe'), /^Jane Roe invites you to run the shop of Books\./m)
  assert.match(by(undefined), /^You are invited to run the shop of Books\./m)
  assert.match(by(undefined), /^The link works once, until 8 March 2026 at 12:05 UTC\.$/m)
})

test('a reset names the deadline, and says that it may be ignored', () => {
  const { text } = resetMail(reader, { companyName: 'Books', link, expires })
  assert.match(text, /^The link works once, until 8 March 2026 at 12:05 UTC\.$/m)
  assert.match(text, /your password stays as it is/)
})

test('the mail about a changed password has the address and the time', () => {
  const { text } = passwordChangedMail(reader, {
    companyName: 'Books',
    email: 'jane@example.com',
    changed: expires,
    link,
  })
  assert.match(text, /The password of jane@example\.com for the shop of Books was changed on 8 March 2026 at 12:05 UTC/)
})

test('a mail is in the language of its reader, and its times are those of their clock', () => {
  const german = { language: 'de', time_zone: 90 }
  const reset = resetMail(german, { companyName: 'Books', link, expires })
  assert.equal(reset.subject, 'Ihr Passwort für Books')
  assert.match(reset.html, /<html lang="de" dir="ltr">/)
  assert.match(reset.text, /^Der Link gilt einmal, bis 8\. März 2026 um 13:35 UTC\+1:30\.$/m)
  const unknown = { language: 'pl', time_zone: -300 }
  const changed = passwordChangedMail(unknown, { companyName: 'Books', email: 'a@b', changed: expires, link })
  assert.match(changed.text, /was changed on 8 March 2026 at 07:05 UTC−5\./)
})
