import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { refreshThemeSettings } from './commands.ts'
import { deleteOldPreviews } from './previews/commands.ts'
import { themePreviewRoutes } from './previews/routes.ts'
import { ThemePreview } from './previews/schema.ts'
import { checkDueDomains } from './proofs/check.worker.ts'
import { readThemeSettingIds, THEME_SETTINGS } from './queries.ts'
import { themeSettingRoutes } from './routes.ts'
import { ThemeSetting } from './schema.ts'

export const themeSettings: Resource = {
  tags: [{ name: 'Theme settings', description: 'Shops: their design, domains and texts.' }],
  schemas: [ThemeSetting, ThemePreview],
  routes: [themeSettingRoutes, themePreviewRoutes],
  chores: ({ db, dns, ownHost, clock }) => ({
    'check domains': {
      everySeconds: 30,
      run: () => checkDueDomains({ db, dns, ownHost, now: () => nowInSeconds(clock) }),
    },
    'delete old previews': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldPreviews(tx, clock.now())),
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
