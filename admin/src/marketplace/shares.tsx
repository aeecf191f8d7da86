import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Icon } from '../ui/icons.tsx'
import { type Column, Table } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { dayText, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Entries } from './entries.tsx'
import {
  balancesQuery,
  csvAddress,
  type LedgerBalance,
  type LedgerMonth,
  latestQuery,
  monthsQuery,
} from './ledger-queries.ts'
import { MarketplacePage } from './parts.tsx'

export const monthName = (month: string) => dayText(`${month}-01T00:00:00`, { month: 'long', year: 'numeric' })

/** Who owes whom how much, the statements by month, and what was booked last. */
export function Shares() {
  const [balances, months, latest] = [useQuery(balancesQuery), useQuery(monthsQuery), useQuery(latestQuery)]
  const failed = [balances, months, latest].find(({ isError }) => isError)
  const names = new Map(balances.data?.map(({ counterpart_id, company_name }) => [counterpart_id, company_name]))
  const isEmpty = balances.data?.length === 0
  return (
    <MarketplacePage
      part="shares"
      about={t('shares.about')}
      actions={
        !isEmpty && (
          <a className="button" href={csvAddress()} download>
            <Icon name="download" />
            {t('shares.csv')}
          </a>
        )
      }
      failed={failed}
    >
      {isEmpty ? (
        <Card title={t('shares.balance')}>
          <p className="card-body muted">{t('shares.none')}</p>
        </Card>
      ) : (
        <>
          <Balances balances={balances.data} />
          <Months months={months.data} />
          <Card title={t('shares.latest')}>
            <Entries label={t('shares.latest')} entries={latest.data} names={names} />
          </Card>
        </>
      )}
    </MarketplacePage>
  )
}

/** What is to be received and to be paid now. */
function Balances({ balances }: { balances: readonly LedgerBalance[] | undefined }) {
  if (balances === undefined) return <WaitingRows count={2} />
  return (
    <Card title={t('shares.balance')} aside={t('shares.balance_about')}>
      <ul className="rows">
        {balances.map(({ counterpart_id, company_name, currency, amount, entries }) => (
          <li key={`${counterpart_id} ${currency}`}>
            <span className="grow">
              <span className="strong">{company_name}</span>
              <br />
              <span className="muted small">{t('shares.entry_count', { count: entries })}</span>
            </span>
            <Chip tone={amount === 0 ? 'draft' : amount > 0 ? 'ok' : 'wait'}>
              {t(amount === 0 ? 'shares.even' : amount > 0 ? 'shares.to_receive' : 'shares.to_pay')}
            </Chip>
            <span className="figure strong">{money(Math.abs(amount), currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Months({ months }: { months: readonly LedgerMonth[] | undefined }) {
  const columns: Column<LedgerMonth>[] = [
    {
      title: t('shares.columns.month'),
      place: 'first',
      width: 'wide',
      cell: ({ month }) => (
        <Link className="strong" to="/marketplace/shares/$month" params={{ month }}>
          {monthName(month)}
        </Link>
      ),
    },
    {
      title: t('shares.columns.entries'),
      place: 'second',
      cell: ({ entries }) => <span className="muted">{t('shares.entry_count', { count: entries })}</span>,
    },
    { title: t('shares.columns.sales'), isNumber: true, cell: ({ sales, currency }) => money(sales, currency) },
    { title: t('shares.columns.refunds'), isNumber: true, cell: ({ refunds, currency }) => money(refunds, currency) },
    {
      title: t('shares.columns.amount'),
      place: 'first-end',
      isNumber: true,
      cell: ({ amount, currency }) => money(amount, currency),
    },
    {
      title: t('shares.columns.closing'),
      place: 'second-end',
      isNumber: true,
      isNamed: true,
      cell: ({ closing, currency }) => money(closing, currency),
    },
  ]
  return (
    <Card title={t('shares.statements')} aside={t('shares.statements_about')}>
      <Table
        label={t('shares.statements')}
        columns={columns}
        rows={months}
        keyOf={({ month, currency }) => `${month} ${currency}`}
        empty={<p className="card-body muted">{t('shares.none')}</p>}
      />
    </Card>
  )
}
