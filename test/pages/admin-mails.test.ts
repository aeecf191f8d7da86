import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '../harness.ts'
import { useMailServer } from '../mail-server.ts'
import { aFilm, aReader, aWritingShop, contentOf, mailsTo, order } from '../mails.ts'
import { inspect, inspectDialog, useAdmin } from './admin-pages.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })
const openAdmin = useAdmin(service)

describe('emails in the admin interface', () => {
  test('a German text is changed, seen, tested, and read by a customer; what fails is sent again', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop, { title: 'Salt House' })
    const karl = await aReader(shop, { language: 'de', first_name: 'Karl', last_name: 'Brandt' })
    const first = await order(shop, karl, [film])
    await service.runJobs()
    const { email: own } = (await shop.get(`/api/users/${shop.userId}.json`)).body.user
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Emails' }).click()
    await page.getByLabel('Language').selectOption('de')
    await page.waitForURL(/language=de/)
    const subject = page.getByLabel('Subject', { exact: true })
    await subject.fill('Hallo {first}')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.hint.wrong').getByText('{first}, but this text only has {order}, {shop}').waitFor()
    await subject.fill('Los geht es mit ')
    await page.getByRole('button', { name: 'Insert order into “Subject”' }).click()
    assert.equal(await subject.inputValue(), 'Los geht es mit {order}')
    await page.getByLabel('Text above the button').fill('Schön, dass Sie da sind.')
    const shown = page.locator('.mail-subject')
    await shown.getByText(`Los geht es mit #${first.id}`).waitFor()
    const frame = page.frameLocator('iframe.mail-frame')
    await frame.getByText('Schön, dass Sie da sind.').waitFor()
    await page.getByRole('radio', { name: 'Phone' }).check()
    await page.getByRole('button', { name: 'Send me a test' }).click()
    await page.getByText(`A test is on its way to ${own}.`).waitFor()
    const tested = (await mailsTo(service, server, own)).map(contentOf)
    assert.ok(tested.some((mail) => mail.subject.includes(`Los geht es mit #${first.id}`)))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Order confirmed, German: saved.').waitFor()
    await inspect(page, 'mails')
    await page.getByRole('link', { name: 'Subscription', exact: true }).click()
    await page.getByRole('textbox', { name: 'Charge failed: Subject' }).fill('Noch nicht gespeichert')
    // Another language, another kind, the menu, the search and the way back: each would drop what is typed.
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const drops = [
      () => page.getByLabel('Language').selectOption('fr'),
      () => page.getByRole('link', { name: 'Order confirmed' }).click(),
      () => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Orders' }).click(),
      () => page.goBack({ waitUntil: 'commit' }),
      async () => {
        await page.keyboard.press('Control+K')
        await page.getByRole('dialog', { name: 'Find anything' }).getByRole('combobox').fill('Categories')
        await page.getByRole('option', { name: 'Categories' }).first().waitFor()
        await page.keyboard.press('Enter')
      },
    ]
    for (const drop of drops) {
      await drop()
      await question.getByRole('button', { name: 'Stay here' }).click()
      await question.waitFor({ state: 'detached' })
      assert.equal(
        await page.getByRole('textbox', { name: 'Charge failed: Subject' }).inputValue(),
        'Noch nicht gespeichert',
      )
    }
    await page.getByRole('link', { name: 'Order confirmed' }).click()
    await inspectDialog(page)
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await subject.waitFor()

    const isKarl = (address: string) => address.toLowerCase() === karl.email.toLowerCase()
    server.refuseRecipient = (address) => (isKarl(address) ? { code: 550, text: 'Mailbox is full' } : undefined)
    const second = await order(shop, karl, [film])
    await service.runJobs()
    await page.getByRole('link', { name: 'Sent', exact: true }).click()
    await page.getByRole('radio', { name: 'Failed' }).check()
    await page.waitForURL(/state=failed/)
    await page
      .getByRole('region', { name: 'Addresses that take no emails' })
      .getByText(karl.email.toLowerCase())
      .waitFor()
    await inspect(page, 'mails-log')
    await page.getByRole('button', { name: `Los geht es mit #${second.id}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Mailbox is full/).waitFor()
    await inspectDialog(page)
    server.refuseRecipient = () => undefined
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(`It is sent to ${karl.email} again.`).waitFor()
    const received = (await mailsTo(service, server, karl.email)).map(contentOf)
    const mail = received.find((each) => each.subject === `Los geht es mit #${second.id}`)
    assert.match(mail?.text ?? '', /Schön, dass Sie da sind\./)
    await dialog.getByText('Sent', { exact: true }).waitFor()
    assert.deepEqual(
      complaints.filter((each) => !/422/.test(each)),
      [],
    )
  })
})
