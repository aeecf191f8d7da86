import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useMay } from '../session/session.ts'
import { Icon, type IconName } from '../ui/icons.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type AttentionItem, attentionQuery } from './queries.ts'

type Kind = AttentionItem['kind']
type Look = { icon: IconName; tone: 'bad' | 'wait'; to?: Pick<LinkProps, 'to' | 'search' | 'params' | 'hash'> }

/** How each kind looks, and the list with exactly these things, where there is one. */
const LOOKS: Record<Kind, Look> = {
  disk_full: { icon: 'disk', tone: 'bad', to: { to: '/help', hash: 'disk_full' } },
  certificate_ending: { icon: 'warning', tone: 'bad', to: { to: '/help', hash: 'certificate_ending' } },
  backup_failed: { icon: 'disk', tone: 'bad', to: { to: '/settings/backups' } },
  backup_missing: { icon: 'disk', tone: 'bad', to: { to: '/settings/backups' } },
  backup_old: { icon: 'disk', tone: 'bad', to: { to: '/settings/backups' } },
  webhooks_deactivated: { icon: 'webhook', tone: 'bad', to: { to: '/apps/webhooks' } },
  webhooks_failing: { icon: 'webhook', tone: 'bad', to: { to: '/apps/webhooks' } },
  payments_flagged: { icon: 'card', tone: 'bad', to: { to: '/settings/payments' } },
  products_not_buyable: { icon: 'file', tone: 'bad', to: { to: '/products', search: { view: 'not_buyable' } } },
  files_failed: { icon: 'file', tone: 'bad' },
  mails_failed: { icon: 'mail', tone: 'bad', to: { to: '/mails/log', search: { state: 'failed' } } },
  jobs_given_up: { icon: 'warning', tone: 'bad', to: { to: '/help', hash: 'jobs_given_up' } },
  subscriptions_past_due: {
    icon: 'member',
    tone: 'wait',
    to: { to: '/memberships/subscriptions', search: { state: 'past_due' } },
  },
  orders_to_ship: { icon: 'truck', tone: 'wait', to: { to: '/orders', search: { view: 'to_ship' } } },
  orders_unpaid: { icon: 'card', tone: 'wait', to: { to: '/orders', search: { view: 'waiting' } } },
  products_low_stock: { icon: 'products', tone: 'wait', to: { to: '/products', search: { view: 'low_stock' } } },
  reviews_waiting: { icon: 'star', tone: 'wait', to: { to: '/reviews' } },
}

/** One product needs no list. */
function linkOf({ kind, count: found, subject_id }: AttentionItem): Look['to'] {
  const { to } = LOOKS[kind]
  const isOneProduct = found === 1 && subject_id !== null && kind.startsWith('products_')
  // The files of the latest product say why, and there is no list of them.
  const isProduct = isOneProduct || (kind === 'files_failed' && subject_id !== null)
  return isProduct ? { to: '/products/$id', params: { id: String(subject_id) } } : to
}

/** What needs attention, most urgent first. */
export function Attention() {
  const attention = useQuery(attentionQuery)
  const items = attention.data?.items
  return (
    <Card
      title={t('home.attention')}
      {...(items === undefined || items.length === 0
        ? {}
        : { end: <span className="muted figure">{count(items.length)}</span> })}
    >
      {attention.isError ? (
        <Problem error={attention.error} retry={() => void attention.refetch()} />
      ) : items === undefined ? (
        <WaitingRows count={3} />
      ) : items.length === 0 ? (
        <p className="card-body muted">{t('home.nothing_to_do')}</p>
      ) : (
        <ul className="rows">
          {items.map((item) => (
            <Item key={item.kind} item={item} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Item({ item }: { item: AttentionItem }) {
  const { icon, tone } = LOOKS[item.kind]
  const mayLookAtMails = useMay('request_products')
  const link = item.kind === 'mails_failed' && !mayLookAtMails ? undefined : linkOf(item)
  const title = t(`home.needs.${item.kind}`, { count: item.count })
  const note = t(`home.needs_because.${item.kind}`, { subject: item.subject ?? '' })
  return (
    <li className="attention">
      <Icon name={icon} className={tone} />
      <span className="grow">
        {link === undefined ? (
          <span className="strong">{title}</span>
        ) : (
          <Link className="strong" {...link}>
            {title}
          </Link>
        )}
        <br />
        <span className="muted small">{note}</span>
      </span>
      {link !== undefined && <Icon name="next" className="muted" />}
    </li>
  )
}
