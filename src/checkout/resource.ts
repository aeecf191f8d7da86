import { nowInSeconds } from '#platform/clock.ts'
import type { Resource } from '#platform/resource.ts'
import { correctCartDays } from './abandoned/commands.ts'
import { countLeftCarts, deleteLeftCarts } from './abandoned/left-carts.ts'

/** The pages are those of shops; see src/shop-pages.ts. */
export const checkout: Resource = {
  chores: ({ db, clock, log }) => ({
    'count abandoned carts': {
      everySeconds: 60,
      run: () => countLeftCarts(db, nowInSeconds(clock), log),
    },
    'delete old carts': {
      everySeconds: 3600,
      run: () => deleteLeftCarts(db, nowInSeconds(clock)),
    },
  }),
  recount: correctCartDays,
}
