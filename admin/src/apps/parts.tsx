import type { ReactNode } from 'react'
import type { Term } from '../ui/help.tsx'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'

/** The parts of what programs do with the shop, in their order. */
export const PARTS = [
  { part: 'apps', to: '/apps' },
  { part: 'webhooks', to: '/apps/webhooks' },
  { part: 'events', to: '/apps/events' },
  { part: 'login', to: '/apps/login' },
  { part: 'explorer', to: '/apps/explorer' },
] as const

/** The hard word of a part. */
const TERM_OF: Partial<Record<(typeof PARTS)[number]['part'], Term>> = { apps: 'scope', webhooks: 'webhook' }

type AppsPageProps = {
  part: (typeof PARTS)[number]['part']
  about?: string
  actions?: ReactNode
  /** What could not be read. */
  failed?: { error: unknown; refetch: () => unknown } | undefined
  children: ReactNode
}

/** A part of "Apps and webhooks", with the ways to the others. */
export function AppsPage({ part, about, actions, failed, children }: AppsPageProps) {
  const views = PARTS.map((each) => ({
    key: each.part,
    title: t(`apps.parts.${each.part}`),
    link: { to: each.to },
    isCurrent: each.part === part,
  }))
  return (
    <Page
      title={t('menu.apps')}
      term={TERM_OF[part]}
      {...(about === undefined ? {} : { about })}
      {...(actions === undefined ? {} : { actions })}
    >
      <Views views={views} />
      {failed === undefined ? children : <Problem error={failed.error} retry={() => void failed.refetch()} />}
    </Page>
  )
}
