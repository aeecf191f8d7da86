import './shell.css'
import { Menu } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { InterruptionBar } from '../session/interruption.tsx'
import { useMay, useSession, useSignOut, useSwitchCompany } from '../session/session.ts'
import { useParts } from '../settings/parts.tsx'
import { Icon } from '../ui/icons.tsx'
import { t } from '../words/words.ts'
import { MOD } from './keyboard.ts'
import { MENU, SETTINGS } from './menu.ts'

const Finder = lazy(() => import('../finder/finder.tsx'))
const Keys = lazy(() => import('../finder/keys.tsx'))

/** Goes to the search of the list that is shown. */
const focusSearch = () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
/** Saves what is being edited, as its button does. */
const save = () => document.querySelector<HTMLButtonElement>('.save-bar button[type=submit]')?.click()

/** What is around every screen: the shop, the menu, and who has signed in. */
export function Shell() {
  const { user } = useSession()
  const menu = useMenu()
  const settings = useSettings()
  // Payments are below the settings, and have an entry of their own.
  const isSettings = useLocation({
    select: ({ pathname }) => /^\/settings(?!\/payments)/.test(pathname),
  })
  const [shown, show] = useState<'finder' | 'keys'>()
  useHotkeys([
    ['/', focusSearch],
    ['shift+?', () => show('keys')],
  ])
  // These work while somebody is typing, too.
  useHotkeys(
    [
      ['mod+K', () => show('finder')],
      ['mod+S', save],
    ],
    [],
  )
  const close = () => show(undefined)
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('menu.skip')}
      </a>
      <header className="side">
        <ShopName />
        <button type="button" className="find" onClick={() => show('finder')}>
          <Icon name="search" />
          <span className="grow">{t('finder.title')}</span>
          <kbd>{`${MOD} K`}</kbd>
        </button>
        <nav aria-label={t('menu.label')}>
          <ul className="menu">
            {menu.map(({ to, icon, title }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/' }}>
                  <Icon name={icon} />
                  {t(title)}
                </Link>
              </li>
            ))}
            {settings.map(({ to, icon, title }, place) => (
              <li key={to} className={place === 0 ? 'apart' : undefined}>
                <Link to={to}>
                  <Icon name={icon} />
                  {t(title)}
                </Link>
              </li>
            ))}
            <li className={settings.length === 0 ? 'apart' : undefined}>
              <Link
                to="/settings"
                activeOptions={{ exact: true }}
                activeProps={{}}
                aria-current={isSettings ? 'page' : undefined}
              >
                <Icon name="settings" />
                {t('menu.settings')}
              </Link>
            </li>
          </ul>
        </nav>
        <div className="whoami">
          <WhoAmI name={name} />
        </div>
      </header>
      <header className="top-bar">
        <ShopName />
        <button
          type="button"
          className="button icon plain"
          aria-label={t('finder.title')}
          onClick={() => show('finder')}
        >
          <Icon name="search" size={20} />
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <InterruptionBar />
        <Outlet />
      </main>
      <nav className="bottom-bar" aria-label={t('menu.label')}>
        {menu.map(({ to, icon, title }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/' }}>
            <Icon name={icon} />
            {t(title)}
          </Link>
        ))}
        <MoreMenu name={name} />
      </nav>
      <Suspense>
        {shown === 'finder' && <Finder close={close} />}
        {shown === 'keys' && <Keys close={close} />}
      </Suspense>
    </div>
  )
}

/** The screens of every day, for those who may use the service. */
function useMenu() {
  return useMay('web_access') ? MENU : []
}

/** The settings that the user may change. */
function useSettings() {
  const { permissions } = useSession().user
  return SETTINGS.filter(({ permission }) => permissions.web_access === 1 && permissions[permission] === 1)
}

/** The shop that is shown. Whoever looks after several goes on to another one here. */
function ShopName() {
  const { company, companies } = useSession()
  const name = company.company_name
  const shown = (
    <>
      <span className="shop-mark" aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="strong cut grow">{name}</span>
    </>
  )
  if (companies.length < 2) return <div className="shop-name">{shown}</div>
  return <Switcher shown={shown} />
}

function Switcher({ shown }: { shown: ReactNode }) {
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

function initialsOf(name: string): string {
  return name
    .split(/[\s.@]+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('')
}

function WhoAmI({ name }: { name: string }) {
  return (
    <Menu position="top-start" width={208}>
      <Menu.Target>
        <button type="button">
          <span className="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="cut">{name}</span>
        </button>
      </Menu.Target>
      <OwnMenu />
    </Menu>
  )
}

function MoreMenu({ name }: { name: string }) {
  return (
    <Menu position="top-end" width={208}>
      <Menu.Target>
        <button type="button" aria-label={t('menu.more_of', { name })}>
          <Icon name="more" />
          {t('menu.more')}
        </button>
      </Menu.Target>
      <OwnMenu />
    </Menu>
  )
}

function OwnMenu() {
  const signOut = useSignOut()
  return (
    <Menu.Dropdown>
      {useSettings().map(({ to, title }) => (
        <Menu.Item key={to} component={Link} to={to}>
          {t(title)}
        </Menu.Item>
      ))}
      {useParts().map(({ part, to }) => (
        <Menu.Item key={to} component={Link} to={to}>
          {t(`settings.parts.${part}`)}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item component="a" href="/docs">
        {t('menu.docs')}
      </Menu.Item>
      <Menu.Item onClick={() => signOut.mutate()}>{t('menu.sign_out')}</Menu.Item>
    </Menu.Dropdown>
  )
}
