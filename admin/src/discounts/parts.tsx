import type { ReactNode } from 'react'
import { type Permission, useSession } from '../session/session.ts'
import type { Term } from '../ui/help.tsx'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'

/** The kinds of codes, in their order, and who may see them. */
export const PARTS = [
  { part: 'discounts', to: '/discounts', permission: 'web_access' },
  { part: 'codes', to: '/discounts/codes', permission: 'request_beta_code' },
  { part: 'keys', to: '/discounts/keys', permission: 'request_keyfile' },
] as const satisfies readonly {
  part: string
  to: string
  permission: Permission
}[]

/** The hard word of a part. */
const TERM_OF: Partial<Record<(typeof PARTS)[number]['part'], Term>> = {
  codes: 'redemption_code',
  keys: 'software_key',
}

type DiscountsPageProps = {
  part: (typeof PARTS)[number]['part']
  about?: string
  actions?: ReactNode
  /** What could not be read. */
  failed?: { error: unknown; refetch: () => unknown } | undefined
  children: ReactNode
}

/** A part of "Discounts and codes", with the ways to the others that the user may see. */
export function DiscountsPage({ part, about, actions, failed, children }: DiscountsPageProps) {
  const { permissions } = useSession().user
  const views = PARTS.filter(({ permission }) => permissions[permission] === 1).map((each) => ({
    key: each.part,
    title: t(`discounts.parts.${each.part}`),
    link: { to: each.to },
    isCurrent: each.part === part,
  }))
  return (
    <Page
      title={t('menu.discounts')}
      term={TERM_OF[part]}
      {...(about === undefined ? {} : { about })}
      {...(actions === undefined ? {} : { actions })}
    >
      <Views views={views} />
      {failed === undefined ? children : <Problem error={failed.error} retry={() => void failed.refetch()} />}
    </Page>
  )
}
