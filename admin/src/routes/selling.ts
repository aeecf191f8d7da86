import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readWordsSearch } from '../discounts/search.ts'
import { readFulfillmentsSearch } from '../fulfillments/search.ts'
import { readGroupsSearch } from '../groups/search.ts'
import { readKeysSearch } from '../keys/search.ts'
import { readCompareSearch, readLicensesSearch, readNewLicenseSearch } from '../licenses/search.ts'
import { readPricesSearch } from '../prices/search.ts'
import { readSubscriptionsSearch } from '../subscriptions/search.ts'
import { root } from './root.tsx'

const licenses = createRoute({
  getParentRoute: () => root,
  path: '/licenses',
  validateSearch: readLicensesSearch,
  component: lazyRouteComponent(() => import('../licenses/list.tsx'), 'Licenses'),
})

const newLicense = createRoute({
  getParentRoute: () => root,
  path: '/licenses/new',
  validateSearch: readNewLicenseSearch,
  component: lazyRouteComponent(() => import('../licenses/new.tsx'), 'NewLicensePage'),
})

const compareLicenses = createRoute({
  getParentRoute: () => root,
  path: '/licenses/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import('../licenses/compare.tsx'), 'CompareLicenses'),
})

const license = createRoute({
  getParentRoute: () => root,
  path: '/licenses/$id',
  component: lazyRouteComponent(() => import('../licenses/detail.tsx'), 'LicenseDetail'),
})

const prices = createRoute({
  getParentRoute: () => root,
  path: '/licenses/prices',
  validateSearch: readPricesSearch,
  component: lazyRouteComponent(() => import('../prices/list.tsx'), 'Prices'),
})

const newPrice = createRoute({
  getParentRoute: () => root,
  path: '/licenses/prices/new',
  component: lazyRouteComponent(() => import('../prices/new.tsx'), 'NewPrice'),
})

const price = createRoute({
  getParentRoute: () => root,
  path: '/licenses/prices/$id',
  component: lazyRouteComponent(() => import('../prices/detail.tsx'), 'PriceDetail'),
})

const fulfillments = createRoute({
  getParentRoute: () => root,
  path: '/fulfillments',
  validateSearch: readFulfillmentsSearch,
  component: lazyRouteComponent(() => import('../fulfillments/list.tsx'), 'Fulfillments'),
})

const trackingImport = createRoute({
  getParentRoute: () => root,
  path: '/fulfillments/import',
  component: lazyRouteComponent(() => import('../fulfillments/import/import.tsx'), 'TrackingImport'),
})

const discounts = createRoute({
  getParentRoute: () => root,
  path: '/discounts',
  validateSearch: readWordsSearch,
  component: lazyRouteComponent(() => import('../discounts/list.tsx'), 'Discounts'),
})

const discount = createRoute({
  getParentRoute: () => root,
  path: '/discounts/$id',
  component: lazyRouteComponent(() => import('../discounts/detail.tsx'), 'DiscountDetail'),
})

const codes = createRoute({
  getParentRoute: () => root,
  path: '/discounts/codes',
  validateSearch: readWordsSearch,
  component: lazyRouteComponent(() => import('../codes/list.tsx'), 'Codes'),
})

const code = createRoute({
  getParentRoute: () => root,
  path: '/discounts/codes/$id',
  component: lazyRouteComponent(() => import('../codes/detail.tsx'), 'CodeDetail'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/discounts/keys',
  component: lazyRouteComponent(() => import('../keys/list.tsx'), 'Keys'),
})

const keysOfProduct = createRoute({
  getParentRoute: () => root,
  path: '/discounts/keys/$product',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => import('../keys/detail.tsx'), 'KeysOfProduct'),
})

const memberships = createRoute({
  getParentRoute: () => root,
  path: '/memberships',
  validateSearch: readGroupsSearch,
  component: lazyRouteComponent(() => import('../groups/list.tsx'), 'Groups'),
})

const membership = createRoute({
  getParentRoute: () => root,
  path: '/memberships/$id',
  component: lazyRouteComponent(() => import('../groups/detail.tsx'), 'GroupDetail'),
})

const subscriptions = createRoute({
  getParentRoute: () => root,
  path: '/memberships/subscriptions',
  validateSearch: readSubscriptionsSearch,
  component: lazyRouteComponent(() => import('../subscriptions/list.tsx'), 'Subscriptions'),
})

const subscription = createRoute({
  getParentRoute: () => root,
  path: '/memberships/subscriptions/$id',
  component: lazyRouteComponent(() => import('../subscriptions/detail.tsx'), 'SubscriptionDetail'),
})

/** The screens about the terms and the delivery of what is sold. */
export const sellingRoutes = [
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
  memberships,
  membership,
  subscriptions,
  subscription,
] as const
