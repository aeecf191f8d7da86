import './shell.css'
import { Menu } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../session/session.ts'
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
  const { user, company } = useSession()
  const settings = useSettings()
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
        <ShopName name={company.company_name} />
        <button type="button" className="find" onClick={() => show('finder')}>
          <Icon name="search" />
          <span className="grow">{t('finder.title')}</span>
          <kbd>{`${MOD} K`}</kbd>
        </button>
        <nav aria-label={t('menu.label')}>
          <ul className="menu">
            {MENU.map(({ to, icon, title }) => (
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
              <a href="/account">
                <Icon name="settings" />
                {t('menu.settings')}
              </a>
            </li>
          </ul>
        </nav>
        <div className="whoami">
          <WhoAmI name={name} />
        </div>
      </header>
      <header className="top-bar">
        <ShopName name={company.company_name} />
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
        <Outlet />
      </main>
      <nav className="bottom-bar" aria-label={t('menu.label')}>
        {MENU.map(({ to, icon, title }) => (
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

/** The settings that the user may change. */
function useSettings() {
  const { user } = useSession()
  return SETTINGS.filter(({ permission }) => user.permissions[permission] === 1)
}

function ShopName({ name }: { name: string }) {
  return (
    <div className="shop-name">
      <span className="shop-mark" aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="strong cut">{name}</span>
    </div>
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
  return (
    <Menu.Dropdown>
      {useSettings().map(({ to, title }) => (
        <Menu.Item key={to} component={Link} to={to}>
          {t(title)}
        </Menu.Item>
      ))}
      <Menu.Item component="a" href="/account">
        {t('menu.account')}
      </Menu.Item>
      <Menu.Item component="a" href="/account/second-factor">
        {t('menu.second_factor')}
      </Menu.Item>
      <Menu.Item component="a" href="/account/apps">
        {t('menu.apps')}
      </Menu.Item>
      <Menu.Item component="a" href="/account/activity">
        {t('menu.activity')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item component="a" href="/docs">
        {t('menu.docs')}
      </Menu.Item>
    </Menu.Dropdown>
  )
}
