import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileMessage } from './icu.ts'
import { languageOf, localeOf, t, translatorOf } from './messages.ts'

describe('a message', () => {
  test('is said in the language that was asked for, with or without its region', () => {
    assert.equal(t('de', 'mails.gift.title'), 'Ein Geschenk für Sie')
    assert.equal(t('de-AT', 'mails.gift.title'), 'Ein Geschenk für Sie')
    assert.equal(t('DE', 'mails.gift.subject', { shop: 'Æ' }), 'Ein Geschenk für Sie von Æ')
  })

  test('is English in a language without messages, and no property of an object passes for a language', () => {
    for (const language of ['nl', 'zh', '', 'constructor', '__proto__', 'DE ', '../de'])
      assert.equal(t(language, 'mails.gift.title'), 'A gift for you', language)
    assert.equal(languageOf('nl'), 'en')
    assert.equal(localeOf('nl'), 'en-GB')
  })

  test('inserts a value as it is, whatever is in it', () => {
    const shop = `{x} '{' # <b> 'Æ'`
    assert.equal(t('en', 'mails.gift.subject', { shop }), `A gift for you from ${shop}`)
  })

  test('needs the values that its text names', () => {
    // @ts-expect-error: the subject names the shop
    assert.throws(() => t('en', 'mails.gift.subject'))
    // @ts-expect-error: the subject names the shop
    assert.throws(() => t('en', 'mails.gift.subject', { sho: 'Æ' }))
    // @ts-expect-error: there is no such message
    assert.equal(t('en', 'mails.gift.nothing'), 'mails.gift.nothing')
  })
})

describe('a translator', () => {
  test('says the texts of the owner in place of ours', () => {
    const say = translatorOf('de', { 'mails.gift.subject': '{shop} schenkt Ihnen etwas' })
    assert.equal(say('mails.gift.subject', { shop: 'Æ' }), 'Æ schenkt Ihnen etwas')
    assert.equal(say('mails.gift.title'), 'Ein Geschenk für Sie')
    assert.equal(say.language, 'de')
  })

  test('leaves out what an owner wrote that is no message, or asks for a value that there is not', () => {
    for (const text of ['{shop', '{name} schenkt', '{shop, plural, one {x}}']) {
      const say = translatorOf('de', { 'mails.gift.subject': text })
      assert.equal(say('mails.gift.subject', { shop: 'Æ' }), 'Ein Geschenk für Sie von Æ', text)
    }
  })
})

describe('ICU', () => {
  const said = (text: string, locale: string, counts: number[]) => {
    const message = compileMessage(text, locale)
    return counts.map((count) => message({ count }))
  }

  test('counts as the language does', () => {
    const text = '{count, plural, =0 {none} one {one} other {#}}'
    assert.deepEqual(said(text, 'de-DE', [0, 1, 1200]), ['none', 'one', '1.200'])
    assert.deepEqual(said('{count, plural, one {one} other {#}}', 'fr-FR', [0, 1, 2]), ['one', 'one', '2'])
    assert.deepEqual(said('{count, plural, one {one} other {#}}', 'pt-PT', [0, 1, 2]), ['0', 'one', '2'])
    assert.deepEqual(said('{count, selectordinal, one {#st} other {#th}}', 'en-GB', [1, 4]), ['1st', '4th'])
  })

  test('writes numbers, dates and money with Intl', () => {
    assert.equal(compileMessage('{n, number, percent}', 'de-DE')({ n: 0.19 }).replace(/\s/, ' '), '19 %')
    assert.equal(compileMessage('{n, number, ::currency/EUR}', 'en-GB')({ n: 5 }), '€5.00')
    assert.equal(compileMessage('{on, date, long}', 'de-DE')({ on: new Date('2026-03-01T23:59:59Z') }), '1. März 2026')
  })
})
