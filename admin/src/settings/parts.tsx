import type { ReactNode } from 'react'
import { type Permission, useSession } from '../session/session.ts'
import type { Term } from '../ui/help.tsx'
import { Views } from '../ui/lists/list.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'

/** What everybody sets for themselves. */
export const OWN_PARTS = [
  { part: 'profile', to: '/settings' },
  { part: 'security', to: '/settings/security' },
] as const

/** The parts of the settings, in their order, and who may see them. */
export const PARTS = [
  ...OWN_PARTS,
  { part: 'company', to: '/settings/company', permission: 'create_users' },
  { part: 'payments', to: '/settings/payments', permission: 'create_users' },
  { part: 'shipping', to: '/settings/shipping', permission: 'request_products' },
  { part: 'taxes', to: '/settings/taxes', permission: 'accounting' },
  { part: 'subscriptions', to: '/settings/subscriptions', permission: 'create_users' },
  { part: 'people', to: '/settings/people', permission: 'create_users' },
  { part: 'activity', to: '/settings/activity', permission: 'create_users' },
  { part: 'backups', to: '/settings/backups', permission: 'create_users' },
] as const satisfies readonly { part: string; to: string; permission?: Permission }[]

type Part = (typeof PARTS)[number]['part']

/** The parts that the user may see. */
export function useParts() {
  const { user, backups_offered } = useSession()
  const { permissions } = user
  return PARTS.filter(
    (each) =>
      (!('permission' in each) || (permissions.web_access === 1 && permissions[each.permission] === 1)) &&
      // The operator allows one company to see them.
      (each.part !== 'backups' || backups_offered),
  )
}

type SettingsPageProps = {
  part: Part
  /** The hard word that is explained beside the heading. */
  term?: Term
  about?: string
  actions?: ReactNode
  /** What could not be read. */
  failed?: { error: unknown; refetch: () => unknown } | undefined
  children: ReactNode
}

/** A part of the settings, with the ways to the others. */
export function SettingsPage({ part, term, about, actions, failed, children }: SettingsPageProps) {
  const views = useParts().map((each) => ({
    key: each.part,
    title: t(`settings.parts.${each.part}`),
    link: { to: each.to },
    isCurrent: each.part === part,
  }))
  return (
    <Page
      title={t(`settings.parts.${part}`)}
      trail={{ to: '/settings', title: t('menu.settings') }}
      term={term}
      {...(about === undefined ? {} : { about })}
      {...(actions === undefined ? {} : { actions })}
    >
      <Views views={views} />
      {failed === undefined ? children : <Problem error={failed.error} retry={() => void failed.refetch()} />}
    </Page>
  )
}

/** In place of a form whose values are on their way. */
export function WaitingCard({ label }: { label: string }) {
  return (
    <Card label={label}>
      <div className="card-body">
        <span className="skeleton" />
      </div>
    </Card>
  )
}
