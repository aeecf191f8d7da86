import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Permissions } from '#identity/users/schema.ts'
import type { Permission } from '#platform/identity/permission.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { type AdminPage, adminPage } from '../admin.ts'
import { useService } from '../harness.ts'
import { aBuyer, aFilm, anOrder, someGoods } from '../orders.ts'
import { aMember } from '../people.ts'
import { settled, signIn, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)
const FLAGS = keysOf(Permissions.properties)

type Seen = {
  menu: string[]
  settings: string[]
  /** On Home. */
  revenue: boolean
  lastActions: boolean
  /** Of an order, a customer and a product. */
  refund: boolean
  ship: boolean
  disable: boolean
  changesProducts: boolean
}

const EVERY_DAY = ['Home', 'Orders', 'Products', 'Customers']

/** What a user sees who may use the service, and nothing else. */
const LEAST: Seen = {
  menu: [...EVERY_DAY, 'Pack and ship', 'Discounts and codes', 'Memberships', 'Marketplace', 'Settings'],
  settings: ['Profile', 'Sign-in'],
  revenue: false,
  lastActions: false,
  refund: false,
  ship: true,
  disable: false,
  changesProducts: false,
}

/** What each single permission adds. */
const ADDED: Record<Permission, Partial<Seen>> = {
  web_access: {},
  request_products: {
    menu: [
      ...EVERY_DAY,
      'Pack and ship',
      'Licenses and prices',
      'Discounts and codes',
      'Memberships',
      'Categories',
      'Shop',
      'Emails',
      'Marketplace',
      'Settings',
    ],
    settings: ['Profile', 'Sign-in', 'Shipping'],
    changesProducts: true,
  },
  accounting: {
    menu: [
      ...EVERY_DAY,
      'Pack and ship',
      'Discounts and codes',
      'Memberships',
      'Marketplace',
      'Statistics',
      'Settings',
    ],
    settings: ['Profile', 'Sign-in', 'Taxes'],
    revenue: true,
    refund: true,
  },
  unlock: { disable: true },
  create_users: {
    menu: [
      ...EVERY_DAY,
      'Pack and ship',
      'Discounts and codes',
      'Memberships',
      'Marketplace',
      'Apps and webhooks',
      'Settings',
    ],
    settings: ['Profile', 'Sign-in', 'Company', 'Payments', 'Subscriptions', 'People', 'Activity'],
    lastActions: true,
  },
  // These have no screen of their own yet.
  request_keyfile: {},
  request_rescue_code: {},
  request_beta_code: {},
  RepAccounting: {},
}

/** A read that needs exactly this permission. */
const NEEDS: Partial<Record<Permission, string>> = {
  create_users: '/audit_entries.json',
  accounting: '/payments.json',
  request_beta_code: '/redemption_codes.json',
  RepAccounting: '/ledger_entries.json',
}

type Places = { order: { id: number }; film: { id: number }; buyer: { token: string } }

async function look(page: Page, { order, film, buyer }: Places): Promise<Seen> {
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
  await settled(page)
  const has = async (name: string) => (await page.getByRole('button', { name, exact: true }).count()) > 0
  const menu = await page.locator('.menu a').allTextContents()
  const revenue = (await page.getByText('Revenue').count()) > 0
  const lastActions = (await page.getByRole('link', { name: 'All activity' }).count()) > 0
  await page.goto('/admin/settings')
  await page.getByLabel('First name').waitFor()
  const settings = await page.locator('.tabs a').allTextContents()
  await page.goto(`/admin/orders/${order.id}`)
  await page.getByRole('button', { name: 'Send confirmation again' }).waitFor()
  const [refund, ship] = [await has('Refund'), await has('Ship')]
  await page.goto(`/admin/customers/${buyer.token}`)
  await page.getByRole('button', { name: 'Why?' }).first().waitFor()
  const disable = await has('Disable')
  await page.goto(`/admin/products/${film.id}`)
  const changesProducts = await page.getByLabel('Title', { exact: true }).isEnabled()
  return { menu, settings, revenue, lastActions, refund, ship, disable, changesProducts }
}

/** The service refuses what the screens do not show, whoever asks. */
async function assertRefused(page: AdminPage, flag: Permission): Promise<void> {
  for (const [needed, path] of Object.entries(NEEDS)) {
    const { status } = await page.get(path)
    assert.equal(status, needed === flag ? 200 : 403, `${path} with ${flag}`)
  }
}

describe('a user with a single permission', () => {
  test('sees what it is for, and no more; the service refuses the rest', async () => {
    const shop = await service.openShop()
    const [film, mug] = [await aFilm(service, shop), await someGoods(service, shop, 5)]
    const buyer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
    const order = await anOrder(shop, buyer, [film, { ...mug, quantity: 1, license_id: undefined }])
    const member = await aMember(service, shop)
    const { page, complaints } = await openAdmin(await service.openShop())
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await signIn(page, member)
    await page.waitForURL('**/admin')
    for (const flag of FLAGS) {
      const permissions = Object.fromEntries(
        FLAGS.map((name) => [name, Number(name === flag || name === 'web_access')]),
      )
      assert.equal((await shop.put(`/api/users/${member.id}.json`, { user: { permissions } })).status, 200)
      assert.deepEqual(await look(page, { order, film, buyer }), { ...LEAST, ...ADDED[flag] }, flag)
      await assertRefused(adminPage(service, member.visitor), flag)
    }
    assert.deepEqual(complaints, [])
  })
})
