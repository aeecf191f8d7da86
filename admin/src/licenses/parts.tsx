import type { ReactNode } from 'react'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'

/** The two lists of what things are sold under and for. */
export const PARTS = [
  { part: 'licenses', to: '/licenses' },
  { part: 'prices', to: '/licenses/prices' },
] as const

type TermsPageProps = {
  part: (typeof PARTS)[number]['part']
  actions?: ReactNode
  children: ReactNode
}

/** The list of licenses or of prices, with the way to the other one. */
export function TermsPage({ part, actions, children }: TermsPageProps) {
  const views = PARTS.map((each) => ({
    key: each.part,
    title: t(`licenses.parts.${each.part}`),
    link: { to: each.to },
    isCurrent: each.part === part,
  }))
  return (
    <Page
      title={t('menu.licenses')}
      term={part === 'licenses' ? 'license' : 'price'}
      {...(actions === undefined ? {} : { actions })}
    >
      <Views views={views} />
      {children}
    </Page>
  )
}
