import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { createAudienceReader } from '../audience/search.ts'
import { readCustomersSearch } from '../customers/search.ts'
import { readImportSearch, readNewImportSearch } from '../imports/search.ts'
import { readNewOrderSearch, readOrdersSearch } from '../orders/search.ts'
import { readProductsSearch } from '../products/search.ts'
import { readReviewsSearch } from '../reviews/search.ts'
import { readTourSearch, startTour } from '../tour/start.ts'
import { root } from './root.tsx'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home.tsx'), 'Home'),
})

const tour = createRoute({
  getParentRoute: () => root,
  path: '/tour',
  validateSearch: readTourSearch,
  beforeLoad: startTour,
})

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrdersSearch,
  component: lazyRouteComponent(() => import('../orders/list.tsx'), 'Orders'),
})

const newOrder = createRoute({
  getParentRoute: () => root,
  path: '/orders/new',
  validateSearch: readNewOrderSearch,
  component: lazyRouteComponent(() => import('../orders/new.tsx'), 'NewOrder'),
})

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('../orders/detail.tsx'), 'OrderDetail'),
})

const products = createRoute({
  getParentRoute: () => root,
  path: '/products',
  validateSearch: readProductsSearch,
  component: lazyRouteComponent(() => import('../products/list.tsx'), 'Products'),
})

const newProduct = createRoute({
  getParentRoute: () => root,
  path: '/products/new',
  component: lazyRouteComponent(() => import('../products/new.tsx'), 'NewProduct'),
})

const product = createRoute({
  getParentRoute: () => root,
  path: '/products/$id',
  component: lazyRouteComponent(() => import('../products/detail.tsx'), 'ProductDetail'),
})

const reviews = createRoute({
  getParentRoute: () => root,
  path: '/reviews',
  validateSearch: readReviewsSearch,
  component: lazyRouteComponent(() => import('../reviews/list.tsx'), 'Reviews'),
})

const customers = createRoute({
  getParentRoute: () => root,
  path: '/customers',
  validateSearch: readCustomersSearch,
  component: lazyRouteComponent(() => import('../customers/list.tsx'), 'Customers'),
})

const customer = createRoute({
  getParentRoute: () => root,
  path: '/customers/$token',
  component: lazyRouteComponent(() => import('../customers/detail.tsx'), 'CustomerDetail'),
})

const newsletter = createRoute({
  getParentRoute: () => root,
  path: '/customers/newsletter',
  validateSearch: createAudienceReader('newsletter'),
  component: lazyRouteComponent(() => import('../audience/newsletter.tsx'), 'Newsletter'),
})

const recipient = createRoute({
  getParentRoute: () => root,
  path: '/customers/newsletter/$id',
  component: lazyRouteComponent(() => import('../audience/recipient.tsx'), 'RecipientDetail'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: '/customers/members',
  validateSearch: createAudienceReader('members'),
  component: lazyRouteComponent(() => import('../audience/members.tsx'), 'Members'),
})

const member = createRoute({
  getParentRoute: () => root,
  path: '/customers/members/$id',
  component: lazyRouteComponent(() => import('../audience/member.tsx'), 'MemberDetail'),
})

const subscribers = createRoute({
  getParentRoute: () => root,
  path: '/customers/subscribers',
  validateSearch: createAudienceReader('subscribers'),
  component: lazyRouteComponent(() => import('../audience/subscribers.tsx'), 'Subscribers'),
})

const subscriber = createRoute({
  getParentRoute: () => root,
  path: '/customers/subscribers/$id',
  component: lazyRouteComponent(() => import('../audience/subscriber.tsx'), 'SubscriberDetail'),
})

const newImport = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  validateSearch: readNewImportSearch,
  component: lazyRouteComponent(() => import('../imports/new.tsx'), 'NewImport'),
})

const csvImport = createRoute({
  getParentRoute: () => root,
  path: '/imports/$id',
  validateSearch: readImportSearch,
  component: lazyRouteComponent(() => import('../imports/wizard.tsx'), 'ImportWizard'),
})

/** The screens of every day: home, orders, products and what buyers say of them, customers, and what is brought in from files. */
export const everyDayRoutes = [
  home,
  tour,
  orders,
  newOrder,
  order,
  products,
  newProduct,
  product,
  reviews,
  customers,
  customer,
  newsletter,
  recipient,
  members,
  member,
  subscribers,
  subscriber,
  newImport,
  csvImport,
] as const
