import type { Permission } from '../session/session.ts'
import type { IconName } from '../ui/icons.tsx'
import type { MessageKey } from '../words/words.ts'

type Entry = { to: string; icon: IconName; title: MessageKey }

/** The screens of every day, in their order. */
export const EVERY_DAY = [
  { to: '/', icon: 'home', title: 'menu.home' },
  { to: '/orders', icon: 'orders', title: 'menu.orders' },
  { to: '/products', icon: 'products', title: 'menu.products' },
  { to: '/customers', icon: 'customers', title: 'menu.customers' },
] as const satisfies readonly Entry[]

/** What is done less often, and who may do that. Each group stands apart. What is set up once is in the settings. */
export const NOW_AND_THEN = [
  { group: 'selling', to: '/fulfillments', icon: 'truck', title: 'menu.fulfillments', permission: 'web_access' },
  { group: 'selling', to: '/licenses', icon: 'key', title: 'menu.licenses', permission: 'request_products' },
  { group: 'selling', to: '/discounts', icon: 'tag', title: 'menu.discounts', permission: 'web_access' },
  { group: 'selling', to: '/memberships', icon: 'member', title: 'menu.memberships', permission: 'web_access' },
  { group: 'shop', to: '/categories', icon: 'collection', title: 'menu.categories', permission: 'request_products' },
  { group: 'shop', to: '/shop', icon: 'shop', title: 'menu.shop', permission: 'request_products' },
  { group: 'shop', to: '/mails', icon: 'mail', title: 'menu.mails', permission: 'request_products' },
  { group: 'shop', to: '/marketplace', icon: 'market', title: 'menu.marketplace', permission: 'web_access' },
  { group: 'shop', to: '/statistics', icon: 'statistics', title: 'menu.statistics', permission: 'accounting' },
  { group: 'set up', to: '/apps', icon: 'webhook', title: 'menu.apps', permission: 'create_users' },
] as const satisfies readonly (Entry & { group: 'selling' | 'shop' | 'set up'; permission: Permission })[]
