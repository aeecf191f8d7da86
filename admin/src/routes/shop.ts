import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readLogSearch, readTextsSearch } from '../mails/search.ts'
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

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('../statistics/statistics.tsx'), 'Statistics'),
})

/** The screens about the shop that customers see, and how it does. */
export const shopRoutes = [shop, categories, category, mails, mailLog, statistics] as const
