import { nowInSeconds } from '#platform/clock.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { refreshThemeSettings } from './commands.ts'
import { checkDueDomains } from './proofs/check.worker.ts'
import { readThemeSettingIds, THEME_SETTINGS } from './queries.ts'
import { themeSettingRoutes } from './routes.ts'
import { ThemeSetting } from './schema.ts'

export const themeSettings: Resource = {
  tags: [{ name: 'Theme settings', description: 'Shops: their design, domains and texts.' }],
  schemas: [ThemeSetting],
  routes: [themeSettingRoutes],
  chores: ({ db, dns, ownHost, clock }) => ({
    'check domains': {
      everySeconds: 30,
      run: () => checkDueDomains({ db, dns, ownHost, now: () => nowInSeconds(clock) }),
    },
  }),
  documents: [
    {
      name: 'theme_settings',
      readIds: readThemeSettingIds,
      rewrite: refreshThemeSettings,
      recount: (tx, companyId) => resetCounter(tx, companyId, THEME_SETTINGS),
    },
  ],
}
