import { Link } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { LedgerEntry } from './ledger-queries.ts'
import { inPercent } from './words.ts'

type EntriesProps = {
  label: string
  entries: readonly LedgerEntry[] | undefined
  /** The companies on the other side, by their ids. */
  names: ReadonlyMap<number, string>
  /** How the times are told. */
  inWords?: (time: string) => string
}

/** What was booked, with the ways to the own orders. The orders of another shop stay there. */
export function Entries({ label, entries, names, inWords = (time) => shortTime(time) }: EntriesProps) {
  const { company } = useSession()
  const columns: Column<LedgerEntry>[] = [
    {
      title: t('shares.columns.what'),
      place: 'first',
      width: 'wide',
      cell: ({ kind, title, quantity }) => (
        <span>
          <span className="strong">{t(`shares.kinds.${kind}`)}</span> {t('shares.pieces', { count: quantity, title })}
        </span>
      ),
    },
    {
      title: t('shares.columns.order'),
      place: 'second',
      cell: ({ order_id, selling_company_id }) =>
        selling_company_id === company.id ? (
          <Link to="/orders/$id" params={{ id: String(order_id) }}>
            {t('shares.order', { id: String(order_id) })}
          </Link>
        ) : (
          <span className="muted">{t('shares.their_order', { id: String(order_id) })}</span>
        ),
    },
    {
      title: t('shares.columns.company'),
      cell: ({ counterpart_id }) => names.get(counterpart_id) ?? String(counterpart_id),
    },
    {
      title: t('shares.columns.share'),
      isNumber: true,
      cell: ({ cost_to_licensees_percent }) => inPercent(cost_to_licensees_percent),
    },
    {
      title: t('shares.columns.booked'),
      place: 'second-end',
      cell: ({ created_at }) => <time className="muted">{inWords(created_at)}</time>,
    },
    {
      title: t('shares.columns.amount'),
      place: 'first-end',
      isNumber: true,
      cell: ({ amount, currency }) => money(amount, currency),
    },
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      empty={<Empty icon="market" text={t('shares.no_entries')} />}
    />
  )
}
