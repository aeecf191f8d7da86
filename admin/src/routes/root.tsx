import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../session/session.ts'
import { Shell } from '../shell/shell.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { loadOtherWords, t } from '../words/words.ts'

const OWN_SCREENS: ReadonlySet<string> = new Set(['/settings', '/settings/security'])

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Shell,
  // Every screen needs to know who has signed in.
  beforeLoad: async ({ context, location }) => {
    const { user, second_factor_missing } = await context.queries.ensureQueryData(sessionQuery)
    // Whoever may not use the service still has a password to look after.
    if (user.permissions.web_access !== 1 && !OWN_SCREENS.has(location.pathname))
      throw redirect({ to: second_factor_missing ? '/settings/security' : '/settings' })
    if (location.pathname !== '/') await loadOtherWords()
  },
  errorComponent: ({ error, reset }) => (
    <Page title={t('problem.title')}>
      <Problem error={error} retry={reset} />
    </Page>
  ),
  notFoundComponent: () => (
    <Page title={t('problem.no_page')}>
      <p>{t('problem.no_page_text')}</p>
      <div className="actions">
        <ButtonLink to="/">{t('problem.to_home')}</ButtonLink>
      </div>
    </Page>
  ),
})
