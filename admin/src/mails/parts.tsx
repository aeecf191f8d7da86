import type { ReactNode } from 'react'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'

export const PARTS = [
  { part: 'texts', to: '/mails' },
  { part: 'log', to: '/mails/log' },
] as const

type MailsPageProps = { part: (typeof PARTS)[number]['part']; about: string; children: ReactNode }

/** A part of "Emails", with the way to the other. */
export function MailsPage({ part, about, children }: MailsPageProps) {
  return (
    <Page title={t('menu.mails')} about={about}>
      <Views
        views={PARTS.map((each) => ({
          key: each.part,
          title: t(`mails.parts.${each.part}`),
          link: { to: each.to },
          isCurrent: each.part === part,
        }))}
      />
      {children}
    </Page>
  )
}
