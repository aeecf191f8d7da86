import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { Check } from '../ui/forms/fields.tsx'
import { firstPage } from '../ui/lists/pages.ts'
import { Card } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { t } from '../words/words.ts'
import type { ShopChange } from './queries.ts'

/** The screens on which the shop is shown, in pixels. */
const SCREENS = { phone: { width: 390, height: 760 }, desk: { width: 1280, height: 900 } } as const
type Screen = keyof typeof SCREENS
type ShownPage = 'home' | 'product'

/** So long nothing is typed before the preview follows. */
const PAUSE_MS = 600
/** A preview lasts an hour. */
const FRESH_MS = 50 * 60 * 1000

function useLater<Value>(value: Value): Value {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return later
}

/** The newest product that visitors see. */
const newestQuery = {
  queryKey: ['products', 'newest visible'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const [newest] = await firstPage(
      api.products.list({ published_status: 'published', sort: '-id', limit: 1, fields: 'id' }, { signal }),
    )
    return newest?.id ?? null
  },
}

type PreviewProps = { id: number; changes: ShopChange; language: string }

/** The shop with everything that was changed on the screen, before it is saved. */
export function Preview({ id, changes, language }: PreviewProps) {
  const [screen, setScreen] = useState<Screen>('phone')
  const [page, setPage] = useState<ShownPage>('home')
  const [isDark, setIsDark] = useState(false)
  const product = useQuery(newestQuery).data
  const body = useLater(JSON.stringify(changes))
  const preview = useQuery({
    queryKey: ['shops', id, 'preview', body],
    queryFn: () => api.themeSettings.previews.create(id, JSON.parse(body)),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const path = page === 'product' && product != null ? `products/${product}` : ''
  return (
    <Card
      title={t('shop_preview.title')}
      end={
        <Segments
          label={t('shop_preview.screen')}
          values={[
            { value: 'phone', title: t('shop_preview.phone') },
            { value: 'desk', title: t('shop_preview.desk') },
          ]}
          chosen={screen}
          choose={setScreen}
        />
      }
    >
      <div className="card-body stack">
        {preview.data === undefined ? (
          <span className="skeleton" />
        ) : (
          <Frame
            address={`${new URL(preview.data.url).pathname}${path}?lang=${language}`}
            screen={screen}
            isDark={isDark}
          />
        )}
        {preview.isError && <p className="hint wrong">{t('shop_preview.refused')}</p>}
        <div className="actions">
          {product != null && (
            <Segments
              label={t('shop_preview.page')}
              values={[
                { value: 'home', title: t('shop_preview.home') },
                { value: 'product', title: t('shop_preview.product') },
              ]}
              chosen={page}
              choose={setPage}
            />
          )}
          <Check label={t('shop_preview.dark')} isOn={isDark} onChange={setIsDark} />
        </div>
      </div>
    </Card>
  )
}

type FrameProps = { address: string; screen: Screen; isDark: boolean }

/** A page of the shop, made as small as the room that there is. Nothing in it runs or is sent. */
function Frame({ address, screen, isDark }: FrameProps) {
  const room = useRef<HTMLDivElement>(null)
  const [space, setSpace] = useState(0)
  useEffect(() => {
    if (room.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setSpace(entry?.contentRect.width ?? 0))
    observer.observe(room.current)
    return () => observer.disconnect()
  }, [])
  const { width, height } = SCREENS[screen]
  const scale = Math.min(1, space / width)
  return (
    <div ref={room} className={`preview-frame ${screen}`} style={{ height: height * scale }}>
      <iframe
        title={t('shop_preview.title')}
        src={address}
        sandbox="allow-same-origin"
        style={{ width, height, transform: `scale(${scale})`, colorScheme: isDark ? 'dark' : 'light' }}
      />
    </div>
  )
}
