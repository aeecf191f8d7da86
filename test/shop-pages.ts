import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import { sql } from 'kysely'
import { CUSTOMER_PASSWORD } from './customers.ts'
import type { Service, Shop } from './harness.ts'
import { type PageAnswer, type Visitor, visit } from './visitor.ts'

const OURS = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }

export async function baseOf(owner: Shop): Promise<string> {
  return `/shop/${(await owner.get('/api/themesettings.json')).body.ThemeSettings[0].id}`
}

/** One shop for all tests of a file, below the address of the service, and its visitors. */
export function useShopPages(service: Service) {
  let shop: Shop | undefined
  let base = ''

  beforeEach(async () => {
    service.app.baseUrl = service.url
    shop ??= await service.openShop()
    base ||= await baseOf(shop)
  })

  const comeIn = (headers: Record<string, string> = {}) => visit(service.url, { ...OURS, ...headers })

  async function readMails(email: string) {
    await service.runJobs()
    return service.db
      .selectFrom('mails')
      .select(['subject', 'text', 'company_id'])
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .execute()
  }

  async function lastMailTo(email: string) {
    const [mail] = await readMails(email)
    assert.ok(mail, `there is no mail to ${email}`)
    return mail
  }

  return {
    get shop() {
      assert.ok(shop)
      return shop
    },
    get base() {
      return base
    },
    comeIn,
    async signIn(email: string, password = CUSTOMER_PASSWORD, at = base): Promise<Visitor> {
      // Somebody whom several companies know signs in by password once the address is proved.
      await service.db
        .updateTable('customers')
        .set({ verified_email: true })
        .where(sql<boolean>`lower(email) = lower(${email}::text)`)
        .execute()
      const visitor = comeIn()
      await visitor.get(`${at}/login`)
      const answer = await visitor.submit(`${at}/login`, { email, password })
      assert.equal(answer.status, 303, answer.text)
      return visitor
    },
    isSignedIn: async (visitor: Visitor, at = base) => (await visitor.get(`${at}/account`)).status === 200,
    lastMailTo,
    countMailsTo: async (email: string) => (await readMails(email)).length,
    /** The path of the link in the latest mail to an address. */
    async linkTo(email: string, path: string): Promise<string> {
      const link = new RegExp(`${service.url}${base}/${path}/[\\w-]{43}`)
      // Mails about orders may come in between.
      const [address] = (await readMails(email)).flatMap(({ text }) => link.exec(text ?? '')?.[0] ?? [])
      assert.ok(address, `there is no mail to ${email} with a link to ${path}`)
      return address.slice(service.url.length)
    },
  }
}

/** A page about one visitor: no cache keeps it, and no search engine. */
export function assertPrivatePage(answer: PageAnswer, status: number, heading: RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(answer.text)?.[1] ?? '', heading)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.text, /<meta name="robots" content="noindex">/)
}
