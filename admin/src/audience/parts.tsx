import type { ReactNode } from 'react'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'

/** The lists of people, in their order. */
export const PARTS = [
  { part: 'customers', to: '/customers' },
  { part: 'newsletter', to: '/customers/newsletter' },
  { part: 'members', to: '/customers/members' },
  { part: 'subscribers', to: '/customers/subscribers' },
] as const

type PeoplePageProps = {
  part: (typeof PARTS)[number]['part']
  about?: string
  actions?: ReactNode
  children: ReactNode
}

/** One of the lists of people, with the ways to the others. */
export function PeoplePage({ part, about, actions, children }: PeoplePageProps) {
  const views = PARTS.map((each) => ({
    key: each.part,
    title: t(`audience.parts.${each.part}`),
    link: { to: each.to, search: {} },
    isCurrent: each.part === part,
  }))
  return (
    <Page
      title={t('menu.customers')}
      {...(about === undefined ? {} : { about })}
      {...(actions === undefined ? {} : { actions })}
    >
      <Views views={views} />
      {children}
    </Page>
  )
}
