import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readEventsSearch, readWebhooksSearch } from '../apps/search.ts'
import { readActivitySearch, readCompanySearch } from '../settings/search.ts'
import { root } from './root.tsx'

const payments = createRoute({
  getParentRoute: () => root,
  path: '/settings/payments',
  component: lazyRouteComponent(() => import('../payments/payments.tsx'), 'Payments'),
})

const shipping = createRoute({
  getParentRoute: () => root,
  path: '/settings/shipping',
  component: lazyRouteComponent(() => import('../shipping/list.tsx'), 'Shipping'),
})

const newMethod = createRoute({
  getParentRoute: () => root,
  path: '/settings/shipping/new',
  component: lazyRouteComponent(() => import('../shipping/new.tsx'), 'NewMethod'),
})

const method = createRoute({
  getParentRoute: () => root,
  path: '/settings/shipping/$id',
  component: lazyRouteComponent(() => import('../shipping/detail.tsx'), 'MethodDetail'),
})

const taxes = createRoute({
  getParentRoute: () => root,
  path: '/settings/taxes',
  component: lazyRouteComponent(() => import('../taxes/taxes.tsx'), 'Taxes'),
})

const subscriptionSettings = createRoute({
  getParentRoute: () => root,
  path: '/settings/subscriptions',
  component: lazyRouteComponent(() => import('../subscriptions/settings.tsx'), 'SubscriptionSettingsScreen'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/profile.tsx'), 'Profile'),
})

const security = createRoute({
  getParentRoute: () => root,
  path: '/settings/security',
  component: lazyRouteComponent(() => import('../settings/security.tsx'), 'Security'),
})

const company = createRoute({
  getParentRoute: () => root,
  path: '/settings/company',
  validateSearch: readCompanySearch,
  component: lazyRouteComponent(() => import('../settings/company.tsx'), 'CompanyData'),
})

const apps = createRoute({
  getParentRoute: () => root,
  path: '/apps',
  component: lazyRouteComponent(() => import('../apps/apps.tsx'), 'Apps'),
})

const registeredApp = createRoute({
  getParentRoute: () => root,
  path: '/apps/$id',
  component: lazyRouteComponent(() => import('../apps/detail.tsx'), 'AppDetail'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/apps/webhooks',
  validateSearch: readWebhooksSearch,
  component: lazyRouteComponent(() => import('../apps/webhooks.tsx'), 'Webhooks'),
})

const events = createRoute({
  getParentRoute: () => root,
  path: '/apps/events',
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import('../apps/events.tsx'), 'Events'),
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/apps/login',
  component: lazyRouteComponent(() => import('../apps/login.tsx'), 'Login'),
})

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/apps/explorer',
  component: lazyRouteComponent(() => import('../apps/explorer.tsx'), 'Explorer'),
})

const people = createRoute({
  getParentRoute: () => root,
  path: '/settings/people',
  component: lazyRouteComponent(() => import('../users/list.tsx'), 'People'),
})

const person = createRoute({
  getParentRoute: () => root,
  path: '/settings/people/$token',
  component: lazyRouteComponent(() => import('../users/detail.tsx'), 'PersonDetail'),
})

const activity = createRoute({
  getParentRoute: () => root,
  path: '/settings/activity',
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(() => import('../settings/activity.tsx'), 'Activity'),
})

const backups = createRoute({
  getParentRoute: () => root,
  path: '/settings/backups',
  component: lazyRouteComponent(() => import('../settings/backups.tsx'), 'BackupsScreen'),
})

const help = createRoute({
  getParentRoute: () => root,
  path: '/help',
  component: lazyRouteComponent(() => import('../help/help.tsx'), 'HelpPage'),
})

/** The screens that set up the company, how it sells, its people and its apps. */
export const settingsRoutes = [
  payments,
  shipping,
  newMethod,
  method,
  taxes,
  subscriptionSettings,
  profile,
  security,
  company,
  apps,
  registeredApp,
  webhooks,
  events,
  login,
  explorer,
  people,
  person,
  activity,
  backups,
  help,
] as const
