import { createRouter } from '@tanstack/react-router'
import { queries } from './queries.ts'
import { everyDayRoutes } from './routes/every-day.ts'
import { root } from './routes/root.tsx'
import { sellingRoutes } from './routes/selling.ts'
import { settingsRoutes } from './routes/settings.ts'
import { shopRoutes } from './routes/shop.ts'

export const router = createRouter({
  routeTree: root.addChildren([...everyDayRoutes, ...sellingRoutes, ...shopRoutes, ...settingsRoutes]),
  basepath: '/admin',
  context: { queries },
  defaultPreload: 'intent',
  scrollRestoration: true,
  // What a screen does not know is left out of its search, so that it never sees a value that it cannot show.
  search: { strict: true },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
