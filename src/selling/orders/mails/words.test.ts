import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessages } from '#platform/text/messages.ts'
import { wordingFor } from './wording.rules.ts'

/** Texts that stand below a greeting such as "Hello Jane,". */
const AFTER_GREETING = [
  'mails.gift.text',
  'mails.newsletter.text',
  'mails.bill.text',
  'mails.order.confirmation.thanks',
  'mails.order.cancellation.text',
  'mails.order.refund.text',
  'mails.order.shipment.text',
  'mails.invoice.text',
]

test('English says email in one word', () => {
  for (const [key, text] of readMessages('en')) assert.doesNotMatch(text, /e-mail/i, key)
})

test('a sentence below a greeting begins as sentences do in its language', () => {
  for (const language of ['en', 'fr', 'es', 'pt']) {
    const messages = readMessages(language)
    for (const key of AFTER_GREETING) assert.match(messages.get(key) ?? '', /^[\p{Lu}{]/u, `${language} ${key}`)
  }
})

test('German puts no titles in quotation marks, because titles have some of their own', () => {
  for (const [key, text] of readMessages('de')) assert.doesNotMatch(text, /„\{title\}“/, key)
})

test('a time is written as the reader writes it, with its zone', () => {
  const time = new Date('2026-03-01T17:05:00Z')
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
  assert.equal(plain(wordingFor('de', 'DE').minute(time)), '1. März 2026 um 17:05 UTC')
  assert.equal(plain(wordingFor('en', 'US').minute(time)), 'March 1, 2026 at 5:05 PM UTC')
})
