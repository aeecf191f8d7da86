import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'
import { ownerOf } from '../people.ts'
import { anInvitedUser, invitationTo, mailsTo } from '../users.ts'
import { glance, inspect, press, sendUnchecked, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()
const CHOSEN = 'a few good words'

async function resetLink(email: string): Promise<string> {
  await service.runJobs()
  const [, link = ''] = /(http:\S+\/reset\/[\w-]+)/.exec((await mailsTo(service, email)).at(-1)?.text ?? '') ?? []
  assert.notEqual(link, '')
  return link
}

describe('a forgotten password', () => {
  test('is replaced through a link in a mail', async () => {
    const owner = await ownerOf(service, await service.openShop())
    const watched = await watch(browser, service.url)
    const { page } = watched
    await page.goto('/sign-in')
    await press(page, 'a Forgot your password?')
    await inspect(watched, 'reset-ask')
    await type(page, { 'Email address': 'x@y z' })
    await sendUnchecked(page)
    await press(page, 'button Send the link')
    const { fields } = await glance(watched, 'reset-ask-wrong')
    assert.equal(fields[0]?.value, 'x@y z')
    assert.match(fields[0]?.description ?? '', /^This is not an email address/)
    await type(page, { 'Email address': owner.email })
    await press(page, 'button Send the link')
    await glance(watched, 'reset-asked')

    const link = await resetLink(owner.email)
    await page.goto(link)
    await inspect(watched, 'reset')
    await type(page, { 'New password': CHOSEN, 'New password again': 'other words' })
    await press(page, 'button Save the new password')
    const again = await inspect(watched, 'reset-wrong')
    assert.equal(again.focus, 'input New password again')
    assert.deepEqual(again.alerts, ['Please check the field that is marked.'])
    await type(page, { 'New password': CHOSEN, 'New password again': CHOSEN })
    await press(page, 'button Save the new password')
    await glance(watched, 'sign-in-after-reset')
    assert.match((await page.getByRole('status').textContent()) ?? '', /new password/)
    await type(page, { 'Email address': owner.email, Password: CHOSEN })
    await press(page, 'button Sign in')
    assert.equal(new URL(page.url()).pathname, '/admin')

    await page.goto(link)
    await inspect(watched, 'reset-void')
    await press(page, 'a Ask for a new link')
    assert.equal(new URL(page.url()).pathname, '/reset')
  })
})

describe('an invitation', () => {
  test('is accepted with a name and a password, and opens the account', async () => {
    const shop = await service.openShop()
    const { email } = await anInvitedUser(shop, { first_name: 'Jane', last_name: '' })
    const path = `/invitation/${await invitationTo(service, email)}`
    const watched = await watch(browser, service.url)
    const { page } = watched
    await page.goto(path)
    const { fields } = await inspect(watched, 'invitation')
    assert.deepEqual(fields.map(({ name, value }) => [name, value]).slice(0, 3), [
      ['username', email],
      ['first_name', 'Jane'],
      ['last_name', ''],
    ])
    await sendUnchecked(page)
    await type(page, { 'First name': 'Janet', 'New password': 'short', 'New password again': 'short' })
    await press(page, 'button Accept the invitation')
    const wrong = await inspect(watched, 'invitation-wrong')
    assert.deepEqual(wrong.alerts, ['Please check the 2 fields that are marked.'])
    assert.equal(wrong.focus, 'input Last name')
    assert.equal(wrong.fields.find(({ name }) => name === 'first_name')?.value, 'Janet')
    await type(page, { 'Last name': 'Roe', 'New password': CHOSEN, 'New password again': CHOSEN })
    await press(page, 'button Accept the invitation')
    assert.equal(new URL(page.url()).pathname, '/admin')
    await watched.withScript(async () => {
      await page.reload()
      await page.getByText('Janet Roe').first().waitFor()
    })

    await page.goto(path)
    await glance(watched, 'invitation-void')

    await anInvitedUser(await service.openShop(), { email })
    await page.goto(`/invitation/${await invitationTo(service, email)}`)
    await inspect(watched, 'invitation-in-use')
  })
})
