import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mail } from '#platform/mail/layout.ts'
import { changedMail, proofMail, requestMail } from './mails.ts'

const link = 'https://shop.example.com/customer/abc_-123'
const expires = new Date('2026-03-08T12:05:00Z')
const letter = { language: 'en', link, expires }
const hostile = 'Books\r\nBcc: all@example.com <script>alert(1)</script> "&\u0000'

const MAILS: Record<string, (companyName: string) => Mail> = {
  'another address': (companyName) => requestMail({ kind: 'email', newEmail: 'j@example.org', companyName, ...letter }),
  'a new password': (companyName) => requestMail({ kind: 'password', newEmail: null, companyName, ...letter }),
  both: (companyName) => requestMail({ kind: 'both', newEmail: 'j@example.org', companyName, ...letter }),
  proof: (companyName) => proofMail({ companyName, ...letter }),
  changed: (companyName) =>
    changedMail({ what: 'password', language: 'en', companyName, email: 'jane@example.com', changed: expires }),
}

describe('every mail to a customer', () => {
  for (const [name, make] of Object.entries(MAILS)) {
    test(`says the same in text and in HTML, and names the company (${name})`, () => {
      const mail = make('Books & Co')
      assert.match(mail.text, /Books & Co/)
      assert.match(mail.html, /Books &#38; Co/)
      assert.ok(!/<|&#|undefined|null/.test(mail.text), mail.text)
      assert.equal(mail.text.includes(link), name !== 'changed')
      assert.equal(mail.html.includes(`href="${link}"`), name !== 'changed')
      const words = mail.html
        .replace(/<title>.*<\/title>/, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      for (const line of mail.text.split('\n')) assert.ok(words.includes(line.replace(/:$/, '')), line)
    })

    test(`isolates the names of companies (${name})`, () => {
      const mail = make(hostile)
      assert.ok(!/[\r\n\0]/.test(mail.subject), mail.subject)
      assert.ok(!mail.html.includes('<script'), mail.html)
      assert.ok(!/^Bcc/m.test(mail.text), mail.text)
    })
  }
})

test('a request names the company, the change and the deadline, and says that it may be ignored', () => {
  const asked = { companyName: 'Books', ...letter }
  const both = requestMail({ kind: 'both', newEmail: 'j@example.org', ...asked }).text
  assert.match(both, /^Books asks to change .* to j@example\.org, and you to choose a new password\.$/m)
  assert.match(both, /^The link works once, until 8 March 2026 at 12:05 UTC\.$/m)
  assert.match(both, /do nothing: your account stays as it is/)
  const password = requestMail({ kind: 'password', newEmail: null, ...asked })
  assert.equal(password.subject, 'Books asks you to choose a new password')
  assert.ok(!/address/.test(password.text.replace('open this address', '')), password.text)
})

test('the mails are in the language of the customer', () => {
  const mail = requestMail({ kind: 'both', newEmail: 'j@example.org', companyName: 'Books', ...letter, language: 'fr' })
  assert.equal(mail.subject, 'Books demande de modifier votre adresse e-mail et votre mot de passe')
  assert.match(mail.text, /^Le lien fonctionne une fois, jusqu’au 8 mars 2026 à 12:05 UTC\.$/m)
})
