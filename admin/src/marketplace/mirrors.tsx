import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Empty, SearchField } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { MirrorRow } from './mirror-row.tsx'
import { MarketplacePage } from './parts.tsx'
import { type Mirror, mirrorsQuery, useRemoveMirror, useShowMirror } from './queries.ts'
import { MIRROR_STATES, type MirrorsSearch } from './search.ts'

const route = getRouteApi('/marketplace/taken')

/** The products of others in one's own shop, and what became of them. */
export function Mirrors() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mirrors = useQuery(mirrorsQuery(search))
  const mayChange = useMay('request_products')
  const [leaving, setLeaving] = useState<Mirror>()
  const show = useShowMirror()
  const { before: _before, after: _after, ...filters } = search
  const { state: _state, ...withoutState } = filters
  const { q = '', state } = filters
  const go = (next: MirrorsSearch) => void navigate({ search: next })
  const find = useCallback(
    (words: string) =>
      void navigate({
        search: ({ q: _q, before: _older, after: _newer, ...now }) => ({
          ...now,
          ...(words === '' ? {} : { q: words }),
        }),
      }),
    [navigate],
  )
  const { data } = mirrors
  const turnTo = (span: Span) => go({ ...filters, ...span })
  const setShown = ({ id, title }: Mirror, isShown: boolean) =>
    show.mutate(
      { id, isShown },
      {
        onSuccess: () =>
          toast(t(isShown ? 'products.now_published' : 'products.now_hidden', { title }), {
            title: t('common.undo'),
            run: () => show.mutate({ id, isShown: !isShown }),
          }),
        onError: (error) => toast(problemText(error)),
      },
    )
  const isNarrowed = q !== '' || state !== undefined
  return (
    <MarketplacePage
      part="mirrors"
      about={t('marketplace.mirrors_about')}
      failed={mirrors.isError ? mirrors : undefined}
    >
      <Card
        title={t('marketplace.parts.mirrors')}
        end={
          <Segments
            label={t('marketplace.which')}
            values={(['all', ...MIRROR_STATES] as const).map((value) => ({
              value,
              title: t(`marketplace.views.${value}`),
            }))}
            chosen={state ?? 'all'}
            choose={(value) => go(value === 'all' ? withoutState : { ...withoutState, state: value })}
          />
        }
      >
        <SearchField label={t('marketplace.search')} words={q} onWords={find} />
        {data === undefined ? (
          <WaitingRows count={4} />
        ) : data.rows.length === 0 ? (
          <Empty icon="market" text={t(isNarrowed ? 'marketplace.none_found' : 'marketplace.no_mirrors')}>
            {isNarrowed ? (
              <Button onClick={() => go({})}>{t('marketplace.show_all')}</Button>
            ) : (
              <Link className="button" to="/marketplace">
                {t('marketplace.parts.browse')}
              </Link>
            )}
          </Empty>
        ) : (
          <ul className="rows tall" aria-label={t('marketplace.parts.mirrors')}>
            {data.rows.map((mirror) => (
              <MirrorRow
                key={mirror.id}
                mirror={mirror}
                changes={mayChange ? { setShown, remove: setLeaving } : undefined}
              />
            ))}
          </ul>
        )}
        <PageFoot page={data} turnTo={turnTo} />
      </Card>
      {leaving !== undefined && <Remove mirror={leaving} close={() => setLeaving(undefined)} />}
    </MarketplacePage>
  )
}

function Remove({ mirror: { id, title }, close }: { mirror: Mirror; close: () => void }) {
  const remove = useRemoveMirror()
  return (
    <Confirm
      title={t('marketplace.remove_title', { title })}
      text={t('marketplace.remove_text')}
      action={t('marketplace.remove')}
      isDanger
      problem={remove.error === null ? undefined : problemText(remove.error)}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            toast(t('marketplace.removed', { title }))
            close()
          },
        })
      }
      close={close}
    />
  )
}
