import './keys.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DiscountsPage } from '../discounts/parts.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { Card, Chip, type Tone } from '../ui/page.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ImportKeys } from './import.tsx'
import { type KeyStock, stocksQuery } from './queries.ts'

const TONES: Record<KeyStock['level'], Tone> = { enough: 'ok', low: 'wait', empty: 'bad' }

/** The programs with a list of keys, and how many are left. */
export function Keys() {
  const stocks = useQuery(stocksQuery)
  const [isImport, setImport] = useState(false)
  return (
    <DiscountsPage
      part="keys"
      about={t('license_keys.about')}
      actions={
        <Button look="primary" icon="plus" onClick={() => setImport(true)}>
          {t('license_keys.import')}
        </Button>
      }
      failed={stocks.isError ? stocks : undefined}
    >
      <Card label={t('license_keys.list')}>
        <Table
          label={t('license_keys.list')}
          columns={columns()}
          rows={stocks.data}
          keyOf={({ id }) => id}
          empty={<Empty icon="key" text={t('license_keys.none')} />}
        />
      </Card>
      {isImport && <ImportKeys close={() => setImport(false)} />}
    </DiscountsPage>
  )
}

const columns = (): Column<KeyStock>[] => [
  {
    title: t('license_keys.columns.title'),
    place: 'first',
    width: 'wide',
    cell: ({ product_id, title }) => (
      <Link className="strong" to="/discounts/keys/$product" params={{ product: product_id }}>
        {title}
      </Link>
    ),
  },
  {
    title: t('license_keys.columns.left'),
    place: 'second-end',
    isNumber: true,
    isNamed: true,
    cell: ({ left }) => count(left),
  },
  { title: t('license_keys.columns.given'), isNumber: true, cell: ({ given }) => count(given) },
  {
    title: t('license_keys.columns.waiting'),
    place: 'second',
    isNumber: true,
    cell: ({ waiting }) => (waiting === 0 ? '' : count(waiting)),
  },
  {
    title: t('license_keys.columns.level'),
    place: 'first-end',
    width: 'narrow',
    cell: ({ level }) => <Chip tone={TONES[level]}>{t(`license_keys.levels.${level}`)}</Chip>,
  },
]
