import assert from 'node:assert/strict'
import { nowInSeconds } from '#platform/clock.ts'
import { aNewsRecipient, readPerson } from './audience.ts'
import { eventsOf, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import type { MailServer } from './mail-server.ts'
import { contentOf, mailsTo } from './mails.ts'
import { visit } from './visitor.ts'

/** What tests of the newsletter of one service share. */
export function newsletterOf(service: Service, server: MailServer) {
  const LINKS = /http:\/\/127\.0\.0\.1:\d+(\/newsletter\/(confirm|unsubscribe)\/[\w-]{43})/g

  /** The paths of both links in the last mail to an address. */
  async function linksTo(email: string): Promise<{ confirm: string; unsubscribe: string }> {
    const mail = (await mailsTo(service, server, email)).at(-1)
    assert.ok(mail, `nothing came to ${email}`)
    const links = [...contentOf(mail).text.matchAll(LINKS)].map(([, path = '', kind = '']) => [kind, path])
    assert.deepEqual(
      links.map(([kind]) => kind),
      ['confirm', 'unsubscribe'],
    )
    return Object.fromEntries(links)
  }

  const stateOf = async (shop: Shop, { id }: Wire) => (await readPerson(shop, 'newsrecipient', id)).state
  const timeNow = () => nowInSeconds(service.clock).toISOString().slice(0, 19)

  async function topicsOf(shop: Shop): Promise<string[]> {
    return (await eventsOf(service, shop)).map(({ topic }) => topic).filter((topic) => topic.startsWith('news'))
  }

  async function aConfirmedRecipient(shop: Shop, attributes: object = {}) {
    const recipient = await aNewsRecipient(shop, attributes)
    const links = await linksTo(recipient.email)
    assert.equal((await visit(service.url).post(links.confirm, {})).status, 200)
    return { recipient, links }
  }

  async function moveTo(shop: Shop, { token }: Wire, email: string): Promise<void> {
    const moved = await shop.put(`/api/customers/${token}.json`, { customer: { email } })
    assert.equal(moved.status, 200, moved.text)
  }
  return { linksTo, stateOf, timeNow, topicsOf, aConfirmedRecipient, moveTo }
}
