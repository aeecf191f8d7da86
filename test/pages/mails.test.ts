import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createDiscountCode } from '#selling/discount-codes/commands.ts'
import { createShippingMethod } from '#selling/shipping-methods/commands.ts'
import { expectAccessible, screenshot, useBrowser } from '../browser.ts'
import { aPrice } from '../factories.ts'
import { useService } from '../harness.ts'
import { useMailServer } from '../mail-server.ts'
import { aBook, aFilm, aReader, aWritingShop, contentOf, mailsTo, nameShop, order, payBack, ship } from '../mails.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })
const browser = useBrowser()

const EMAIL_TEXT = `<h1>So geht es los</h1><p>Laden Sie den Film <b>innerhalb von 30 Tagen</b> herunter und
  lesen Sie <a href="https://books.example/hilfe">unsere Hilfe</a>.</p><ul><li>Erst anmelden</li><li>Dann ansehen</li></ul>
  <table><tr><th>Format</th><th>Größe</th></tr><tr><td>HD</td><td>4,2 GB</td></tr></table>
  <pre>https://books.example/eine/sehr/lange/adresse/die/auf/keinen/schirm/passt/und/doch/passen/muss</pre>`

/** Shows a mail: nothing is loaded, nothing overflows, and it is accessible in light and dark mode. */
async function look(page: Page, html: string, name: string): Promise<void> {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The program that shows a mail puts it into its own page.
    await page.setContent(html.replace(/<body[^>]*>/, '$&<main>').replace('</body>', '</main></body>'))
    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`)
    await expectAccessible(page, colorScheme === 'light' ? 'everything' : 'colours')
    await screenshot(page, `mail-${name}-${colorScheme}`)
  }
  assert.deepEqual(loaded, [])
}

describe('mails about orders', () => {
  test('can be read by everybody, on any screen', async () => {
    const shop = await aWritingShop(service, { warn_at_stock_level_below: 5, inventory_management_active: true })
    await nameShop(shop, [{ language_id: 'de', shop_name: 'Bücher & Mehr' }])
    const now = nowInSeconds(service.clock)
    const { id: price_id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
    await inTransaction(service.db, async (tx) => {
      const method = {
        title: 'Paketdienst',
        price_id,
        tracking_company: 'Paketdienst',
        tracking_url: 'https://parcels.example/follow?number={tracking_number}',
      }
      await createShippingMethod(tx, shop, method, now)
      await createDiscountCode(tx, shop, { code: 'FRUEHLING', type: 'percentage', amount: 10 }, now)
    })
    const film = await aFilm(service, shop, {
      locales: [
        {
          language_id: 'de',
          title: 'Der lange Heimweg: Rindfleischetikettierungsüberwachungsaufgaben',
          email_text: EMAIL_TEXT,
        },
      ],
    })
    const book = await aBook(service, shop, { manage_stock: true, items_in_stock: 6 })
    const jane = await aReader(shop, { language: 'de' })
    const bought = await order(shop, jane, [film, { ...book, quantity: 3 }], {
      test: false,
      generate_codes: true,
      po_number: 'PO-7781',
      discount_codes: [{ code: 'FRUEHLING' }],
    })
    await ship(service, shop, bought, { tracking_number: '00340434161094042557' })
    await payBack(shop, bought, { amount: 2380, lines: [[1, 1]] })
    await order(shop, jane, [film], { test: true })
    const { body } = await shop.get(`/api/companies/${shop.companyId}.json`)
    const warnings = (await mailsTo(service, server, body.company.email)).map(contentOf)
    const letters = [...(await mailsTo(service, server, jane.email)).map(contentOf), ...warnings]
    const about = (words: RegExp) => {
      const letter = letters.find(({ subject }) => words.test(subject))
      assert.ok(letter, `no mail about ${words}`)
      return letter.html
    }
    const page = await browser.newPage()
    await look(page, about(/^Ihre Bestellung \S+ bei \S+ & \S+$/), 'confirmation')
    await look(page, about(/^\[Test\]/), 'test')
    await look(page, about(/unterwegs/), 'shipment')
    await look(page, about(/^Erstattung/), 'refund')
    await look(page, about(/^Low stock/), 'stock')
  })
})
