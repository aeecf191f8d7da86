import type { IconName } from '../ui/icons.tsx'

export type MenuEntry = {
  to: '/' | '/orders' | '/products' | '/customers'
  icon: IconName
  title: `menu.${'home' | 'orders' | 'products' | 'customers'}`
}

/** The screens of the admin interface, in their order. */
export const MENU: readonly MenuEntry[] = [
  { to: '/', icon: 'home', title: 'menu.home' },
  { to: '/orders', icon: 'orders', title: 'menu.orders' },
  { to: '/products', icon: 'products', title: 'menu.products' },
  { to: '/customers', icon: 'customers', title: 'menu.customers' },
]
