import './licenses.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { licensesQuery } from '../products/queries.ts'
import { useMay } from '../session/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { type Column, Empty, SearchField, Table } from '../ui/lists/list.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { t } from '../words/words.ts'
import { licenseName } from './names.ts'
import { TermsPage } from './parts.tsx'
import { allTermsQuery, isGeneral, type License, licenseUsesQuery } from './queries.ts'
import { VIEWS, type ViewName } from './search.ts'

const route = getRouteApi('/licenses')

const FITS: Record<ViewName, (license: License, products: number) => boolean> = {
  all: () => true,
  own: (license) => !isGeneral(license),
  general: isGeneral,
  unused: (license, products) => !isGeneral(license) && products === 0,
}

/** The licenses that the shop can sell under, in words. */
export function Licenses() {
  const { view = 'all', q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const licenses = useQuery(licensesQuery)
  const terms = useQuery(allTermsQuery(document.documentElement.lang)).data
  const uses = useQuery(licenseUsesQuery).data
  const mayChange = useMay('request_products')
  const find = useCallback(
    (words: string) => void navigate({ search: ({ q: _q, ...now }) => (words === '' ? now : { ...now, q: words }) }),
    [navigate],
  )
  const words = q.toLowerCase()
  const rows = licenses.data?.filter(
    (license) =>
      license.valid === 1 &&
      FITS[view](license, uses?.get(license.id) ?? 0) &&
      `${licenseName(license)} ${terms?.get(license.id) ?? ''}`.toLowerCase().includes(words),
  )
  return (
    <TermsPage
      part="licenses"
      actions={
        <>
          <ButtonLink to="/licenses/compare" search={{}}>
            {t('licenses.compare')}
          </ButtonLink>
          {mayChange && (
            <ButtonLink look="primary" icon="plus" to="/licenses/new" search={{}}>
              {t('licenses.new')}
            </ButtonLink>
          )}
        </>
      }
    >
      <Card label={t('licenses.list')}>
        <SearchField
          label={t('licenses.search')}
          words={q}
          onWords={find}
          beside={
            <Segments
              label={t('licenses.whose')}
              values={VIEWS.map((value) => ({ value, title: t(`licenses.views.${value}`) }))}
              chosen={view}
              choose={(chosen) =>
                void navigate({
                  search: ({ view: _view, ...now }) => (chosen === 'all' ? now : { ...now, view: chosen }),
                })
              }
            />
          }
        />
        {licenses.isError ? (
          <Problem error={licenses.error} retry={() => void licenses.refetch()} />
        ) : (
          <Table
            label={t('licenses.list')}
            columns={columnsWith(terms, uses)}
            rows={rows}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="key" text={t('licenses.none_found')}>
                <ButtonLink to="/licenses" search={{}}>
                  {t('licenses.show_all')}
                </ButtonLink>
              </Empty>
            }
          />
        )}
      </Card>
    </TermsPage>
  )
}

function columnsWith(
  terms: ReadonlyMap<number, string> | undefined,
  uses: ReadonlyMap<number, number> | undefined,
): Column<License>[] {
  return [
    {
      title: t('licenses.columns.name'),
      place: 'first',
      cell: (license) => (
        <Link className="strong" to="/licenses/$id" params={{ id: String(license.id) }}>
          {licenseName(license)}
        </Link>
      ),
    },
    {
      title: t('licenses.columns.terms'),
      place: 'second',
      width: 'wide',
      cell: ({ id }) => <span className="muted small license-terms">{terms?.get(id) ?? ''}</span>,
    },
    {
      title: t('licenses.columns.whose'),
      place: 'first-end',
      width: 'narrow',
      cell: (license) =>
        isGeneral(license) ? (
          <Chip tone="draft">{t('licenses.general')}</Chip>
        ) : (
          <Chip tone="ok">{t('licenses.own')}</Chip>
        ),
    },
    {
      title: t('licenses.columns.used'),
      place: 'second-end',
      isNumber: true,
      cell: ({ id }) => <span className="muted">{t('licenses.products', { count: uses?.get(id) ?? 0 })}</span>,
    },
  ]
}
