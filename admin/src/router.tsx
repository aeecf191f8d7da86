import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readEventsSearch, readWebhooksSearch } from './apps/search.ts'
import { readCustomersSearch } from './customers/search.ts'
import { readWordsSearch } from './discounts/search.ts'
import { readFulfillmentsSearch } from './fulfillments/search.ts'
import { readImportSearch, readNewImportSearch } from './imports/search.ts'
import { readKeysSearch } from './keys/search.ts'
import { readCompareSearch, readLicensesSearch, readNewLicenseSearch } from './licenses/search.ts'
import { readLogSearch, readTextsSearch } from './mails/search.ts'
import { readNewOrderSearch, readOrdersSearch } from './orders/search.ts'
import { readPricesSearch } from './prices/search.ts'
import { readProductsSearch } from './products/search.ts'
import { queries } from './queries.ts'
import { sessionQuery } from './session/session.ts'
import { readActivitySearch, readCompanySearch } from './settings/search.ts'
import { Shell } from './shell/shell.tsx'
import { readShopSearch } from './shop/search.ts'
import { readStatisticsSearch } from './statistics/search.ts'
import { Page } from './ui/page.tsx'
import { Problem } from './ui/problem.tsx'
import { t } from './words/words.ts'

const OWN_SCREENS: ReadonlySet<string> = new Set(['/settings', '/settings/security'])

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Shell,
  // Every screen needs to know who has signed in.
  beforeLoad: async ({ context, location }) => {
    const { user, second_factor_missing } = await context.queries.ensureQueryData(sessionQuery)
    // Whoever may not use the service still has a password to look after.
    if (user.permissions.web_access !== 1 && !OWN_SCREENS.has(location.pathname))
      throw redirect({ to: second_factor_missing ? '/settings/security' : '/settings' })
  },
  errorComponent: ({ error, reset }) => (
    <Page title={t('problem.title')}>
      <Problem error={error} retry={reset} />
    </Page>
  ),
  notFoundComponent: () => (
    <Page title={t('problem.no_page')}>
      <p>{t('problem.no_page_text')}</p>
    </Page>
  ),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrdersSearch,
  component: lazyRouteComponent(() => import('./orders/list.tsx'), 'Orders'),
})

const newOrder = createRoute({
  getParentRoute: () => root,
  path: '/orders/new',
  validateSearch: readNewOrderSearch,
  component: lazyRouteComponent(() => import('./orders/new.tsx'), 'NewOrder'),
})

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('./orders/detail.tsx'), 'OrderDetail'),
})

const products = createRoute({
  getParentRoute: () => root,
  path: '/products',
  validateSearch: readProductsSearch,
  component: lazyRouteComponent(() => import('./products/list.tsx'), 'Products'),
})

const newProduct = createRoute({
  getParentRoute: () => root,
  path: '/products/new',
  component: lazyRouteComponent(() => import('./products/new.tsx'), 'NewProduct'),
})

const product = createRoute({
  getParentRoute: () => root,
  path: '/products/$id',
  component: lazyRouteComponent(() => import('./products/detail.tsx'), 'ProductDetail'),
})

const customers = createRoute({
  getParentRoute: () => root,
  path: '/customers',
  validateSearch: readCustomersSearch,
  component: lazyRouteComponent(() => import('./customers/list.tsx'), 'Customers'),
})

const customer = createRoute({
  getParentRoute: () => root,
  path: '/customers/$token',
  component: lazyRouteComponent(() => import('./customers/detail.tsx'), 'CustomerDetail'),
})

const licenses = createRoute({
  getParentRoute: () => root,
  path: '/licenses',
  validateSearch: readLicensesSearch,
  component: lazyRouteComponent(() => import('./licenses/list.tsx'), 'Licenses'),
})

const newLicense = createRoute({
  getParentRoute: () => root,
  path: '/licenses/new',
  validateSearch: readNewLicenseSearch,
  component: lazyRouteComponent(() => import('./licenses/new.tsx'), 'NewLicensePage'),
})

const compareLicenses = createRoute({
  getParentRoute: () => root,
  path: '/licenses/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import('./licenses/compare.tsx'), 'CompareLicenses'),
})

const license = createRoute({
  getParentRoute: () => root,
  path: '/licenses/$id',
  component: lazyRouteComponent(() => import('./licenses/detail.tsx'), 'LicenseDetail'),
})

const prices = createRoute({
  getParentRoute: () => root,
  path: '/prices',
  validateSearch: readPricesSearch,
  component: lazyRouteComponent(() => import('./prices/list.tsx'), 'Prices'),
})

const newPrice = createRoute({
  getParentRoute: () => root,
  path: '/prices/new',
  component: lazyRouteComponent(() => import('./prices/new.tsx'), 'NewPrice'),
})

const price = createRoute({
  getParentRoute: () => root,
  path: '/prices/$id',
  component: lazyRouteComponent(() => import('./prices/detail.tsx'), 'PriceDetail'),
})

const fulfillments = createRoute({
  getParentRoute: () => root,
  path: '/fulfillments',
  validateSearch: readFulfillmentsSearch,
  component: lazyRouteComponent(() => import('./fulfillments/list.tsx'), 'Fulfillments'),
})

const trackingImport = createRoute({
  getParentRoute: () => root,
  path: '/fulfillments/import',
  component: lazyRouteComponent(() => import('./fulfillments/import/import.tsx'), 'TrackingImport'),
})

const discounts = createRoute({
  getParentRoute: () => root,
  path: '/discounts',
  validateSearch: readWordsSearch,
  component: lazyRouteComponent(() => import('./discounts/list.tsx'), 'Discounts'),
})

const discount = createRoute({
  getParentRoute: () => root,
  path: '/discounts/$id',
  component: lazyRouteComponent(() => import('./discounts/detail.tsx'), 'DiscountDetail'),
})

const codes = createRoute({
  getParentRoute: () => root,
  path: '/discounts/codes',
  validateSearch: readWordsSearch,
  component: lazyRouteComponent(() => import('./codes/list.tsx'), 'Codes'),
})

const code = createRoute({
  getParentRoute: () => root,
  path: '/discounts/codes/$id',
  component: lazyRouteComponent(() => import('./codes/detail.tsx'), 'CodeDetail'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/discounts/keys',
  component: lazyRouteComponent(() => import('./keys/list.tsx'), 'Keys'),
})

const keysOfProduct = createRoute({
  getParentRoute: () => root,
  path: '/discounts/keys/$product',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => import('./keys/detail.tsx'), 'KeysOfProduct'),
})

const shipping = createRoute({
  getParentRoute: () => root,
  path: '/shipping',
  component: lazyRouteComponent(() => import('./shipping/list.tsx'), 'Shipping'),
})

const newMethod = createRoute({
  getParentRoute: () => root,
  path: '/shipping/new',
  component: lazyRouteComponent(() => import('./shipping/new.tsx'), 'NewMethod'),
})

const method = createRoute({
  getParentRoute: () => root,
  path: '/shipping/$id',
  component: lazyRouteComponent(() => import('./shipping/detail.tsx'), 'MethodDetail'),
})

const newImport = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  validateSearch: readNewImportSearch,
  component: lazyRouteComponent(() => import('./imports/new.tsx'), 'NewImport'),
})

const csvImport = createRoute({
  getParentRoute: () => root,
  path: '/imports/$id',
  validateSearch: readImportSearch,
  component: lazyRouteComponent(() => import('./imports/wizard.tsx'), 'ImportWizard'),
})

const shop = createRoute({
  getParentRoute: () => root,
  path: '/shop',
  validateSearch: readShopSearch,
  component: lazyRouteComponent(() => import('./shop/shop.tsx'), 'Shop'),
})

const categories = createRoute({
  getParentRoute: () => root,
  path: '/categories',
  component: lazyRouteComponent(() => import('./categories/list.tsx'), 'Categories'),
})

const category = createRoute({
  getParentRoute: () => root,
  path: '/categories/$id',
  component: lazyRouteComponent(() => import('./categories/detail.tsx'), 'CategoryDetail'),
})

const mails = createRoute({
  getParentRoute: () => root,
  path: '/mails',
  validateSearch: readTextsSearch,
  component: lazyRouteComponent(() => import('./mails/texts.tsx'), 'MailTextsScreen'),
})

const mailLog = createRoute({
  getParentRoute: () => root,
  path: '/mails/log',
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import('./mails/log.tsx'), 'MailLog'),
})

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('./statistics/statistics.tsx'), 'Statistics'),
})

const payments = createRoute({
  getParentRoute: () => root,
  path: '/settings/payments',
  component: lazyRouteComponent(() => import('./payments/payments.tsx'), 'Payments'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/profile.tsx'), 'Profile'),
})

const security = createRoute({
  getParentRoute: () => root,
  path: '/settings/security',
  component: lazyRouteComponent(() => import('./settings/security.tsx'), 'Security'),
})

const company = createRoute({
  getParentRoute: () => root,
  path: '/settings/company',
  validateSearch: readCompanySearch,
  component: lazyRouteComponent(() => import('./settings/company.tsx'), 'CompanyData'),
})

const apps = createRoute({
  getParentRoute: () => root,
  path: '/apps',
  component: lazyRouteComponent(() => import('./apps/apps.tsx'), 'Apps'),
})

const registeredApp = createRoute({
  getParentRoute: () => root,
  path: '/apps/$id',
  component: lazyRouteComponent(() => import('./apps/detail.tsx'), 'AppDetail'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/apps/webhooks',
  validateSearch: readWebhooksSearch,
  component: lazyRouteComponent(() => import('./apps/webhooks.tsx'), 'Webhooks'),
})

const events = createRoute({
  getParentRoute: () => root,
  path: '/apps/events',
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import('./apps/events.tsx'), 'Events'),
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/apps/login',
  component: lazyRouteComponent(() => import('./apps/login.tsx'), 'Login'),
})

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/apps/explorer',
  component: lazyRouteComponent(() => import('./apps/explorer.tsx'), 'Explorer'),
})

const people = createRoute({
  getParentRoute: () => root,
  path: '/settings/people',
  component: lazyRouteComponent(() => import('./users/list.tsx'), 'People'),
})

const person = createRoute({
  getParentRoute: () => root,
  path: '/settings/people/$token',
  component: lazyRouteComponent(() => import('./users/detail.tsx'), 'PersonDetail'),
})

const activity = createRoute({
  getParentRoute: () => root,
  path: '/settings/activity',
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(() => import('./settings/activity.tsx'), 'Activity'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    orders,
    newOrder,
    order,
    products,
    newProduct,
    product,
    customers,
    customer,
    licenses,
    newLicense,
    compareLicenses,
    license,
    prices,
    newPrice,
    price,
    fulfillments,
    trackingImport,
    discounts,
    discount,
    codes,
    code,
    keys,
    keysOfProduct,
    shipping,
    newMethod,
    method,
    newImport,
    csvImport,
    shop,
    categories,
    category,
    mails,
    mailLog,
    statistics,
    payments,
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
  ]),
  basepath: '/admin',
  context: { queries },
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
