import type { Permission } from '../session/session.ts'
import type { IconName } from '../ui/icons.tsx'

export type MenuEntry = {
  to:
    | '/'
    | '/orders'
    | '/products'
    | '/customers'
    | '/licenses'
    | '/fulfillments'
    | '/discounts'
    | '/shop'
    | '/fulfillments'
    | '/shipping'
    | '/apps'
    | '/settings'
    | '/settings/payments'
  icon: IconName
  title: `menu.${'home' | 'orders' | 'products' | 'customers' | 'licenses' | 'fulfillments' | 'shop' | 'payments' | 'shipping' | 'apps' | 'settings' | 'discounts'}`
}

/** The screens of every day, in their order. */
export const MENU: readonly MenuEntry[] = [
  { to: '/', icon: 'home', title: 'menu.home' },
  { to: '/orders', icon: 'orders', title: 'menu.orders' },
  { to: '/products', icon: 'products', title: 'menu.products' },
  { to: '/customers', icon: 'customers', title: 'menu.customers' },
]

/** What is done less often or set up once, and who may do that. */
export const SETTINGS: readonly (MenuEntry & { permission: Permission })[] = [
  { to: '/licenses', icon: 'key', title: 'menu.licenses', permission: 'request_products' },
  { to: '/fulfillments', icon: 'truck', title: 'menu.fulfillments', permission: 'web_access' },
  { to: '/discounts', icon: 'tag', title: 'menu.discounts', permission: 'web_access' },
  { to: '/shop', icon: 'shop', title: 'menu.shop', permission: 'request_products' },
  { to: '/settings/payments', icon: 'card', title: 'menu.payments', permission: 'create_users' },
  { to: '/shipping', icon: 'globe', title: 'menu.shipping', permission: 'request_products' },
  { to: '/apps', icon: 'webhook', title: 'menu.apps', permission: 'create_users' },
]
