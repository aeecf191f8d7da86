import './codes.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { DiscountsPage } from '../discounts/parts.tsx'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink, DownloadLink } from '../ui/button.tsx'
import { type Ticked, useBulk, useTicked } from '../ui/lists/bulk.ts'
import { Failures, TickAll } from '../ui/lists/bulk-bar.tsx'
import { type Column, Empty, SearchField, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { RowLink } from '../ui/lists/row-link.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { CodesBulkBar } from './bulk-bar.tsx'
import { NewCodesDialog } from './new.tsx'
import { type Code, codesCsv, codesQuery } from './queries.ts'
import { Sheet } from './sheet.tsx'
import { endOf, stateOf, usesOf } from './words.ts'

const route = getRouteApi('/discounts/codes')

/** The codes that give a product to whoever redeems them. */
export function Codes() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const codes = useQuery(codesQuery(search))
  const mayImport = useMay('request_products')
  const [isNew, setNew] = useState(false)
  const [printed, print] = useState<readonly Code[]>()
  const bulk = useBulk<Code>('codes', ({ code }) => code)
  const ticked = useTicked(codes.data?.rows ?? [])
  const find = useCallback((q: string) => void navigate({ search: q === '' ? {} : { q } }), [navigate])
  if (printed !== undefined) return <Sheet codes={printed} close={() => print(undefined)} />
  const { q = '' } = search
  const { data } = codes
  const turnTo = (span: Span) => void navigate({ search: { ...(q === '' ? {} : { q }), ...span } })
  return (
    <DiscountsPage
      part="codes"
      about={t('codes.about')}
      actions={
        <>
          <DownloadLink href={codesCsv(search)}>{t('list.csv')}</DownloadLink>
          {mayImport && (
            <ButtonLink to="/imports" search={{ kind: 'redemption_codes' }}>
              {t('imports.title')}
            </ButtonLink>
          )}
          <Button look="primary" icon="plus" onClick={() => setNew(true)}>
            {t('codes.new')}
          </Button>
        </>
      }
      failed={codes.isError ? codes : undefined}
    >
      <Failures said={t('codes.failed', { count: bulk.failures.length })} work={bulk} />
      <Card label={t('codes.list')}>
        <SearchField label={t('codes.search')} words={q} onWords={find} />
        <Table
          label={t('codes.list')}
          columns={columnsWith(ticked)}
          rows={data?.rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="gift" text={q === '' ? t('codes.none') : t('codes.none_found')}>
              {q !== '' && <Button onClick={() => find('')}>{t('discounts.show_all')}</Button>}
            </Empty>
          }
        />
        <PageFoot page={data} turnTo={turnTo} />
      </Card>
      <CodesBulkBar work={bulk} ticked={ticked} shown={data?.rows.length ?? 0} print={print} />
      {isNew && <NewCodesDialog close={() => setNew(false)} print={print} />}
    </DiscountsPage>
  )
}

function columnsWith(ticked: Ticked<Code>): Column<Code>[] {
  return [
    {
      title: t('codes.label'),
      heading: <TickAll ticked={ticked} label={t('codes.choose_all')} />,
      place: 'tick',
      cell: ({ id, code }) => (
        <input
          type="checkbox"
          className="tick-box"
          aria-label={t('codes.choose', { code })}
          checked={ticked.isTicked(id)}
          onChange={() => ticked.tick(id)}
        />
      ),
    },
    {
      title: t('codes.columns.code'),
      place: 'first',
      cell: ({ id, code }) => (
        <RowLink className="strong" to="/discounts/codes/$id" id={id}>
          <code>{code}</code>
        </RowLink>
      ),
    },
    {
      title: t('codes.columns.product'),
      place: 'second',
      width: 'wide',
      cell: ({ title, gift, note }) => (
        <>
          {title}
          {(gift !== null || note !== '') && (
            <span className="muted small block">
              {gift === null ? note : t('codes.is_gift', { email: gift.email })}
            </span>
          )}
        </>
      ),
    },
    { title: t('codes.columns.used'), place: 'second-end', isNumber: true, cell: usesOf },
    { title: t('codes.columns.expires'), cell: (code) => <span className="muted">{endOf(code)}</span> },
    {
      title: t('codes.columns.state'),
      place: 'first-end',
      width: 'narrow',
      cell: (code) => {
        const { tone, text } = stateOf(code)
        return <Chip tone={tone}>{text}</Chip>
      },
    },
  ]
}
