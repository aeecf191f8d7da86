import type { ReactNode } from 'react'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'

/** What memberships are made of, in their order. */
export const PARTS = [
  { part: 'groups', to: '/memberships' },
  { part: 'subscriptions', to: '/memberships/subscriptions' },
] as const

type MembershipsPageProps = {
  part: (typeof PARTS)[number]['part']
  about: string
  actions?: ReactNode
  children: ReactNode
}

/** The groups, or who has signed up to them, with the way to the other. */
export function MembershipsPage({ part, about, actions, children }: MembershipsPageProps) {
  const views = PARTS.map((each) => ({
    key: each.part,
    title: t(`subscriptions.parts.${each.part}`),
    link: { to: each.to, search: {} },
    isCurrent: each.part === part,
  }))
  return (
    <Page
      title={t('menu.memberships')}
      term={part === 'groups' ? 'group' : undefined}
      about={about}
      {...(actions === undefined ? {} : { actions })}
    >
      <Views views={views} />
      {children}
    </Page>
  )
}
