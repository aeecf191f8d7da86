import './marketplace.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { type Column, Table } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, dayAndTime, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Entries } from './entries.tsx'
import { csvAddress, ENTRIES_MAX, type Statement, statementQuery } from './ledger-queries.ts'
import { monthName } from './shares.tsx'

const route = getRouteApi('/marketplace/shares/$month')
const TRAIL = () => ({ to: '/marketplace/shares', title: t('marketplace.parts.shares') })

type Line = Statement['lines'][number]

/** What was booked in a month, with whom, and what is owed at its end: to look at, to print and as a file. */
export function StatementPage() {
  const { month } = route.useParams()
  const { company } = useSession()
  const read = useQuery(statementQuery(month))
  const { data } = read
  if (data === undefined)
    return (
      <Page title={t('shares.statement')} trail={TRAIL()}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const { statement, entries } = data
  const names = new Map(statement.lines.map(({ counterpart_id, company_name }) => [counterpart_id, company_name]))
  return (
    <Page
      title={t('shares.statement_of', { month: monthName(statement.month) })}
      trail={TRAIL()}
      about={company.company_name}
      actions={
        <>
          <a className="button" href={csvAddress(statement)} download>
            <Icon name="download" />
            {t('shares.csv')}
          </a>
          <Button look="primary" icon="file" onClick={() => print()}>
            {t('shares.print')}
          </Button>
        </>
      }
    >
      <Card title={t('shares.totals')}>
        <Totals totals={statement.totals} />
      </Card>
      <Card title={t('shares.by_company')}>
        <Table
          label={t('shares.by_company')}
          columns={lineColumns()}
          rows={statement.lines}
          keyOf={({ counterpart_id, currency, is_seller }) => `${counterpart_id} ${currency} ${is_seller}`}
          empty={<p className="card-body muted">{t('shares.no_entries')}</p>}
        />
      </Card>
      <Card title={t('shares.entries')} aside={entries.length === ENTRIES_MAX ? t('shares.first_entries') : undefined}>
        <Entries label={t('shares.entries')} entries={entries} names={names} inWords={dayAndTime} />
      </Card>
    </Page>
  )
}

function Totals({ totals }: { totals: Statement['totals'] }) {
  if (totals.length === 0) return <p className="card-body muted">{t('shares.none')}</p>
  return totals.map(({ currency, opening, amount, closing }) => (
    <dl key={currency} className="sums">
      <dt>{t('shares.opening')}</dt>
      <dd>{money(opening, currency)}</dd>
      <dt>{t('shares.amount')}</dt>
      <dd>{money(amount, currency)}</dd>
      <dt className="total">
        {t(closing === 0 ? 'shares.closing_even' : closing > 0 ? 'shares.closing_receive' : 'shares.closing_pay')}
      </dt>
      <dd className="total">{money(Math.abs(closing), currency)}</dd>
    </dl>
  ))
}

function lineColumns(): Column<Line>[] {
  return [
    {
      title: t('shares.columns.company'),
      place: 'first',
      width: 'wide',
      cell: ({ company_name }) => <span className="strong">{company_name}</span>,
    },
    {
      title: t('shares.columns.side'),
      place: 'second',
      cell: ({ is_seller }) => t(is_seller ? 'shares.you_sold' : 'shares.they_sold'),
    },
    { title: t('shares.columns.entries'), isNumber: true, cell: ({ entries }) => count(entries) },
    { title: t('shares.columns.sales'), isNumber: true, cell: ({ sales, currency }) => money(sales, currency) },
    {
      title: t('shares.columns.refunds'),
      place: 'second-end',
      isNumber: true,
      cell: ({ refunds, currency }) => money(refunds, currency),
    },
    {
      title: t('shares.columns.amount'),
      place: 'first-end',
      isNumber: true,
      cell: ({ amount, currency }) => money(amount, currency),
    },
  ]
}
