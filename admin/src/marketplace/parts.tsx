import './marketplace.css'
import type { ReactNode } from 'react'
import { type Permission, useSession } from '../session/session.ts'
import { Views } from '../ui/lists/list.tsx'
import { Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'

/** The parts of the marketplace, in their order, and who may see them. */
export const PARTS = [
  { part: 'browse', to: '/marketplace', permission: 'web_access' },
  { part: 'mirrors', to: '/marketplace/taken', permission: 'web_access' },
  { part: 'offer', to: '/marketplace/offer', permission: 'request_products' },
  { part: 'shares', to: '/marketplace/shares', permission: 'RepAccounting' },
] as const satisfies readonly { part: string; to: string; permission: Permission }[]

type MarketplacePageProps = {
  part: (typeof PARTS)[number]['part']
  about: string
  actions?: ReactNode
  /** What could not be read. */
  failed?: { error: unknown; refetch: () => unknown } | undefined
  children: ReactNode
}

/** A part of the marketplace, with the ways to the others that the user may see. */
export function MarketplacePage({ part, about, actions, failed, children }: MarketplacePageProps) {
  const { permissions } = useSession().user
  const views = PARTS.filter(({ permission }) => permissions[permission] === 1).map((each) => ({
    key: each.part,
    title: t(`marketplace.parts.${each.part}`),
    link: { to: each.to },
    isCurrent: each.part === part,
  }))
  return (
    <Page title={t('menu.marketplace')} about={about} {...(actions === undefined ? {} : { actions })}>
      <Views views={views} />
      {failed === undefined ? children : <Problem error={failed.error} retry={() => void failed.refetch()} />}
    </Page>
  )
}
