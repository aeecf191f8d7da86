import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasNews } from '../help/seen.ts'
import { useSession, useSignOut, useSwitchCompany } from '../session/session.ts'
import { OWN_PARTS } from '../settings/parts.tsx'
import { Icon } from '../ui/icons.tsx'
import { t } from '../words/words.ts'
import { useNowAndThen } from './permitted.ts'

/** Goes on to another shop. */
export function Switcher({ shown }: { shown: ReactNode }) {
  const { company, companies } = useSession()
  const switching = useSwitchCompany()
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <button type="button" className="shop-name" disabled={switching.isPending}>
          {shown}
          <span className="hidden">{t('menu.switch')}</span>
          <Icon name="switch" />
        </button>
      </Menu.Target>
      <Menu.Dropdown className="switcher">
        <Menu.Label>{t('menu.shops')}</Menu.Label>
        {companies.map(({ id, company_name }) => (
          <Menu.Item
            key={id}
            aria-current={id === company.id}
            rightSection={id === company.id ? <Icon name="check" /> : undefined}
            onClick={() => (id === company.id ? undefined : switching.mutate(id))}
          >
            {company_name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Something is new, and was not looked at yet. */
function NewsDot() {
  return (
    <span className="news-dot">
      <span className="hidden">{t('help.news')}</span>
    </span>
  )
}

function initialsOf(name: string): string {
  return name
    .split(/[\s.@]+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('')
}

/** Who has signed in, and what they can set. */
export function WhoAmI({ name }: { name: string }) {
  const hasNews = useHasNews()
  return (
    <Menu position="top-start" width={208}>
      <Menu.Target>
        <button type="button">
          <span className="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="cut">{name}</span>
          {hasNews && <NewsDot />}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <OwnItems />
      </Menu.Dropdown>
    </Menu>
  )
}

/** On a phone, with the screens that have no room below it. */
export function MoreMenu({ name }: { name: string }) {
  const [first] = OWN_PARTS
  return (
    <Menu position="top-end" width={208}>
      <Menu.Target>
        <button type="button" aria-label={t('menu.more_of', { name })}>
          <Icon name="more" />
          {t('menu.more')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {useNowAndThen().map(({ to, title }) => (
          <Menu.Item key={to} component={Link} to={to}>
            {t(title)}
          </Menu.Item>
        ))}
        <Menu.Item component={Link} to={first.to}>
          {t('menu.settings')}
        </Menu.Item>
        <Menu.Divider />
        <OwnItems />
      </Menu.Dropdown>
    </Menu>
  )
}

function OwnItems() {
  const signOut = useSignOut()
  const hasNews = useHasNews()
  return (
    <>
      {OWN_PARTS.map(({ part, to }) => (
        <Menu.Item key={to} component={Link} to={to}>
          {t(`settings.parts.${part}`)}
        </Menu.Item>
      ))}
      <Menu.Item component={Link} to="/help" rightSection={hasNews ? <NewsDot /> : undefined}>
        {t('help.title')}
      </Menu.Item>
      <Menu.Item component="a" href="/docs">
        {t('menu.docs')}
      </Menu.Item>
      <Menu.Item onClick={() => signOut.mutate()}>{t('menu.sign_out')}</Menu.Item>
    </>
  )
}
