import './shop.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { Icon } from '../ui/icons.tsx'
import { Views } from '../ui/lists/list.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { Design } from './design.tsx'
import { Domain } from './domain.tsx'
import { changesIn, draftOf } from './draft.ts'
import { HomePage } from './home-page.tsx'
import { Pages } from './pages.tsx'
import { Preview } from './preview.tsx'
import { type ShopSettings, shopQuery, shopsQuery, useSaveShop } from './queries.ts'
import { PARTS } from './search.ts'
import { Visitors } from './visitors.tsx'

const route = getRouteApi('/shop')

/** What customers see: the design of the shop, its pages, its address, and what visitors may do. */
export function Shop() {
  const { shop: chosen } = route.useSearch()
  const shops = useQuery(shopsQuery)
  const id = chosen ?? shops.data?.[0]?.id
  const read = useQuery({ ...shopQuery(id ?? 0), enabled: id !== undefined, refetchOnWindowFocus: false })
  if (read.data !== undefined) return <ShopPage key={id} read={read.data} shops={shops.data ?? []} />
  const failed = shops.isError ? shops : read.isError ? read : undefined
  return (
    <Page title={t('menu.shop')}>
      {failed === undefined ? (
        <Card label={t('menu.shop')}>
          <div className="card-body">
            <span className="skeleton" />
          </div>
        </Card>
      ) : (
        <Problem error={failed.error} retry={() => void failed.refetch()} />
      )}
    </Page>
  )
}

/** The language that the owner reads, if the shop speaks it. */
function firstLanguage(texts: readonly { language_id: string }[]): string {
  const own = texts.find(({ language_id }) => language_id === document.documentElement.lang) ?? texts[0]
  return own?.language_id ?? 'en'
}

type ShopPageProps = {
  read: { shop: ShopSettings; etag: string }
  shops: readonly Pick<ShopSettings, 'id' | 'domain'>[]
}

function ShopPage({ read, shops }: ShopPageProps) {
  const { shop } = read
  const { part = 'design' } = route.useSearch()
  const mayChange = useMay('request_products')
  const editing = useEditing({
    read,
    draftOf,
    changesIn,
    save: useSaveShop(shop.id),
    saidOf: () => t('shop.saved'),
    choosing: ['shop'],
  })
  const { draft, set, errorAt } = editing
  const [language, setLanguage] = useState(() => firstLanguage(draft.texts))
  const parts = { draft, set, errorAt, language, setLanguage }
  const isLook = part === 'design' || part === 'home'
  const views = PARTS.map((name) => ({
    key: name,
    title: t(`shop.parts.${name}`),
    link: {
      to: '/shop',
      search: { ...(name === 'design' ? {} : { part: name }), ...(shops.length > 1 ? { shop: shop.id } : {}) },
    } as const,
    isCurrent: part === name,
  }))
  return (
    <Page
      title={t('menu.shop')}
      chips={shop.shop_offline ? <Chip tone="wait">{t('shop.is_closed')}</Chip> : undefined}
      about={t('shop.about', { domain: shop.domain })}
      actions={
        <a className="button" href={`/shop/${shop.id}`} target="_blank" rel="noreferrer">
          <Icon name="external" />
          {t('shop.open')}
        </a>
      }
    >
      {shops.length > 1 && (
        <Views
          views={shops.map(({ id, domain }) => ({
            key: String(id),
            title: domain,
            link: { to: '/shop', search: { shop: id } } as const,
            isCurrent: id === shop.id,
          }))}
        />
      )}
      <Views views={views} />
      <form className={isLook ? 'columns' : 'stack'} onSubmit={editing.submit}>
        <fieldset className="stack" disabled={!mayChange}>
          {part === 'design' && <Design {...parts} />}
          {part === 'home' && <HomePage {...parts} />}
          {part === 'pages' && <Pages {...parts} />}
          {part === 'domain' && <Domain {...parts} shop={shop} />}
          {part === 'visitors' && <Visitors {...parts} />}
        </fieldset>
        {isLook && mayChange && (
          <aside className="preview">
            <Preview id={shop.id} changes={editing.changes} language={language} />
          </aside>
        )}
        <SaveBar {...editing.bar} />
      </form>
    </Page>
  )
}
