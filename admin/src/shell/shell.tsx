import './shell.css'
import { useHotkeys } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { InterruptionBar } from '../session/interruption.tsx'
import { useSession } from '../session/session.ts'
import { useStop } from '../tour/tour.ts'
import { Icon } from '../ui/icons.tsx'
import { t, withWords } from '../words/words.ts'
import { MOD } from './keyboard.ts'
import { useEveryDay, useNowAndThen } from './permitted.ts'

const Finder = lazy(() => withWords(import('../finder/finder.tsx')))
const Keys = lazy(() => withWords(import('../finder/keys.tsx')))
// What a menu needs to find its place is a tenth of the first load, and nobody opens one at once.
const Switcher = lazy(async () => ({ default: (await withWords(import('./menus.tsx'))).Switcher }))
const WhoAmI = lazy(async () => ({ default: (await withWords(import('./menus.tsx'))).WhoAmI }))
const TourBar = lazy(() => withWords(import('../tour/bar.tsx')))
const DeletionBanner = lazy(() => withWords(import('../settings/deletion/banner.tsx')))
const SandboxBanner = lazy(() => withWords(import('../settings/sandbox/banner.tsx')))
const MoreMenu = lazy(async () => ({ default: (await withWords(import('./menus.tsx'))).MoreMenu }))

/** Goes to the search of the list that is shown. */
const focusSearch = () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
/** Saves what is being edited, as its button does. */
const save = () => document.querySelector<HTMLButtonElement>('.save-bar button[type=submit]')?.click()

/** What is around every screen: the shop, the menu, and who has signed in. */
export function Shell() {
  const { user, deletion_due_at, sandbox } = useSession()
  const everyDay = useEveryDay()
  const nowAndThen = useNowAndThen()
  const stop = useStop()
  const isSettings = useLocation({ select: ({ pathname }) => pathname.startsWith('/settings') })
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
            {everyDay.map(({ to, icon, title }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/' }}>
                  <Icon name={icon} />
                  {t(title)}
                </Link>
              </li>
            ))}
            {nowAndThen.map(({ group, to, icon, title }, place) => (
              <li key={to} className={nowAndThen[place - 1]?.group === group ? undefined : 'apart'}>
                <Link to={to}>
                  <Icon name={icon} />
                  {t(title)}
                </Link>
              </li>
            ))}
            <li className={nowAndThen.at(-1)?.group === 'set up' ? undefined : 'apart'}>
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
          <Suspense fallback={<span className="waiting-menu">{name}</span>}>
            <WhoAmI name={name} />
          </Suspense>
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
        {sandbox && (
          <Suspense>
            <SandboxBanner />
          </Suspense>
        )}
        {deletion_due_at !== null && (
          <Suspense>
            <DeletionBanner />
          </Suspense>
        )}
        {stop !== undefined && (
          <Suspense>
            <TourBar place={stop} />
          </Suspense>
        )}
        <Outlet />
      </main>
      <nav className="bottom-bar" aria-label={t('menu.label')}>
        {everyDay.map(({ to, icon, title }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/' }}>
            <Icon name={icon} />
            {t(title)}
          </Link>
        ))}
        <Suspense fallback={<span />}>
          <MoreMenu name={name} />
        </Suspense>
      </nav>
      <Suspense>
        {shown === 'finder' && <Finder close={close} />}
        {shown === 'keys' && <Keys close={close} />}
      </Suspense>
    </div>
  )
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
  const plain = <div className="shop-name">{shown}</div>
  if (companies.length < 2) return plain
  return (
    <Suspense fallback={plain}>
      <Switcher shown={shown} />
    </Suspense>
  )
}
