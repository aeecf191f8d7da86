import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SettingsPage } from '../settings/parts.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { countryName, dayText, percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import { OwnRates } from './own-rates.tsx'
import { type AppliedRate, TAX_CLASSES, taxTableQuery } from './queries.ts'
import { RateDialog } from './rate-dialog.tsx'

type Row = { country: string; rateOf: (taxClass: (typeof TAX_CLASSES)[number]) => AppliedRate | undefined }

/** Which taxes apply today, from where they are known, and the rates of one's own. */
export function Taxes() {
  const table = useQuery(taxTableQuery)
  const [isNew, setNew] = useState(false)
  return (
    <SettingsPage
      part="taxes"
      term="tax_class"
      about={t('taxes.about')}
      actions={
        <Button look="primary" icon="plus" onClick={() => setNew(true)}>
          {t('taxes.new')}
        </Button>
      }
    >
      <OwnRates />
      <Card title={t('taxes.list')}>
        {table.isError ? (
          <Problem error={table.error} retry={() => void table.refetch()} />
        ) : (
          <Table
            label={t('taxes.list')}
            columns={columns()}
            rows={table.data}
            keyOf={({ country }) => country}
            empty={<Empty icon="bank" text={t('taxes.no_own')} />}
          />
        )}
      </Card>
      {isNew && <RateDialog close={() => setNew(false)} />}
    </SettingsPage>
  )
}

const PLACES = { standard: 'first-end', reduced: 'second', 'e-book': 'second-end' } as const

const columns = (): Column<Row>[] => [
  { title: t('taxes.columns.country'), place: 'first', width: 'wide', cell: ({ country }) => countryName(country) },
  ...TAX_CLASSES.map(
    (taxClass): Column<Row> => ({
      title: t(`taxes.columns.${taxClass}`),
      place: PLACES[taxClass],
      cell: ({ rateOf }) => (
        <>
          {taxClass !== 'standard' && <span className="only-phone muted small">{t(`taxes.columns.${taxClass}`)} </span>}
          <Rate rate={rateOf(taxClass)} />
        </>
      ),
    }),
  ),
]

function Rate({ rate }: { rate: AppliedRate | undefined }) {
  if (rate === undefined) return null
  const { source, since } = rate
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  return (
    <>
      <span className="figure">{percent(rate.percent / 100, { maximumFractionDigits: 3 })}</span>{' '}
      {source === 'own' ? (
        <Chip tone="test">{t('taxes.own')}</Chip>
      ) : (
        since !== null && (
          <span className="muted small">{t('taxes.since', { date: dayText(`${since}T00:00:00`, day) })}</span>
        )
      )}
    </>
  )
}
