import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { correctCartDays } from './abandoned/commands.ts'
import { countLeftCarts, deleteLeftCarts } from './abandoned/left-carts.worker.ts'
import { deleteOldReminders } from './reminders/commands.ts'
import { createReminderLinks } from './reminders/links.secrets.ts'
import { findNextLeft } from './reminders/queries.ts'
import { remindCustomers } from './reminders/remind.worker.ts'
import { reminderRoutes } from './reminders/routes.ts'

/** The pages are those of shops; see src/program/http/shop-pages.ts. */
export const checkout: Resource = {
  rootRoutes: [reminderRoutes],
  due: ({ db, log, vault, baseUrl }) => [
    {
      next: (companyId, after, until) => findNextLeft(db, companyId, after, until),
      run: async (companyId, now) => {
        await countLeftCarts(db, now, log, companyId)
        await remindCustomers({ db, log, links: createReminderLinks(vault), baseUrl }, now, companyId)
        return 0
      },
    },
  ],
  chores: ({ db, clock, log, vault, baseUrl }) => ({
    'count abandoned carts': {
      everySeconds: 60,
      run: () => countLeftCarts(db, nowInSeconds(clock), log),
    },
    'remind customers of carts': {
      everySeconds: 60,
      run: () => remindCustomers({ db, log, links: createReminderLinks(vault), baseUrl }, nowInSeconds(clock)),
    },
    'delete old notes of reminders': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldReminders(tx, nowInSeconds(clock))),
    },
    'delete old carts': {
      everySeconds: 3600,
      run: () => deleteLeftCarts(db, nowInSeconds(clock)),
    },
  }),
  recount: correctCartDays,
}
