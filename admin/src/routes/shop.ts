import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readLogSearch, readTextsSearch } from '../mails/search.ts'
import { readBrowseSearch, readMirrorsSearch } from '../marketplace/search.ts'
import { readShopSearch } from '../shop/search.ts'
import { readStatisticsSearch } from '../statistics/search.ts'
import { root } from './root.tsx'

const shop = createRoute({
  getParentRoute: () => root,
  path: '/shop',
  validateSearch: readShopSearch,
  component: lazyRouteComponent(() => import('../shop/shop.tsx'), 'Shop'),
})

const categories = createRoute({
  getParentRoute: () => root,
  path: '/categories',
  component: lazyRouteComponent(() => import('../categories/list.tsx'), 'Categories'),
})

const category = createRoute({
  getParentRoute: () => root,
  path: '/categories/$id',
  component: lazyRouteComponent(() => import('../categories/detail.tsx'), 'CategoryDetail'),
})

const mails = createRoute({
  getParentRoute: () => root,
  path: '/mails',
  validateSearch: readTextsSearch,
  component: lazyRouteComponent(() => import('../mails/texts.tsx'), 'MailTextsScreen'),
})

const mailLog = createRoute({
  getParentRoute: () => root,
  path: '/mails/log',
  validateSearch: readLogSearch,
  component: lazyRouteComponent(() => import('../mails/log.tsx'), 'MailLog'),
})

const marketplace = createRoute({
  getParentRoute: () => root,
  path: '/marketplace',
  validateSearch: readBrowseSearch,
  component: lazyRouteComponent(() => import('../marketplace/browse.tsx'), 'Browse'),
})

const marketProduct = createRoute({
  getParentRoute: () => root,
  path: '/marketplace/products/$id',
  component: lazyRouteComponent(() => import('../marketplace/product.tsx'), 'MarketProductDetail'),
})

const mirrors = createRoute({
  getParentRoute: () => root,
  path: '/marketplace/taken',
  validateSearch: readMirrorsSearch,
  component: lazyRouteComponent(() => import('../marketplace/mirrors.tsx'), 'Mirrors'),
})

const ownOffer = createRoute({
  getParentRoute: () => root,
  path: '/marketplace/offer',
  component: lazyRouteComponent(() => import('../marketplace/offer.tsx'), 'OwnOffer'),
})

const shares = createRoute({
  getParentRoute: () => root,
  path: '/marketplace/shares',
  component: lazyRouteComponent(() => import('../marketplace/shares.tsx'), 'Shares'),
})

const statement = createRoute({
  getParentRoute: () => root,
  path: '/marketplace/shares/$month',
  component: lazyRouteComponent(() => import('../marketplace/statement.tsx'), 'StatementPage'),
})

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('../statistics/statistics.tsx'), 'Statistics'),
})

/** The screens about the shop that customers see, and how it does. */
export const shopRoutes = [
  shop,
  categories,
  category,
  mails,
  mailLog,
  marketplace,
  marketProduct,
  mirrors,
  ownOffer,
  shares,
  statement,
  statistics,
] as const
