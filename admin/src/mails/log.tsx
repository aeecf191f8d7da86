import './mails.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import { Card, Chip, type Tone } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { MailFrame } from './frame.tsx'
import { MailsPage } from './parts.tsx'
import { type Mail, mailQuery, mailsQuery, refusedQuery, useRetryMail } from './queries.ts'
import { type LogSearch, STATES } from './search.ts'

const TONES: Readonly<Record<Mail['state'], Tone>> = { sent: 'ok', failed: 'bad', waiting: 'wait', kept: 'draft' }

/** What was sent to whom, what failed and why, and the addresses that take no mail. */
export function MailLog() {
  const search = useSearch({ from: '/mails/log' })
  const navigate = useNavigate({ from: '/mails/log' })
  const { state, mail, ...span } = search
  const page = useQuery(mailsQuery(state, span))
  const go = (next: LogSearch) => void navigate({ search: next, resetScroll: false })
  const filter = state === undefined ? {} : { state }
  const rows = page.data?.rows
  const columns: Column<Mail>[] = [
    {
      title: t('mails.columns.subject'),
      place: 'first',
      width: 'wide',
      cell: ({ id, subject }) => (
        <button type="button" className="link strong" onClick={() => go({ ...search, mail: id })}>
          {subject}
        </button>
      ),
    },
    { title: t('mails.columns.recipient'), place: 'second', cell: ({ recipient }) => recipient },
    { title: t('mails.columns.written'), place: 'second-end', cell: ({ created_at }) => shortTime(created_at) },
    {
      title: t('mails.columns.state'),
      place: 'first-end',
      cell: (each) => <Chip tone={TONES[each.state]}>{t(`mails.states.${each.state}`)}</Chip>,
    },
  ]
  return (
    <MailsPage part="log" about={t('mails.log_about')}>
      <Refused />
      <Card
        title={t('mails.parts.log')}
        end={
          <Segments
            label={t('mails.which')}
            values={STATES.map((value) => ({ value, title: t(`mails.states.${value}`) }))}
            chosen={state ?? 'all'}
            choose={(value) => go(value === 'all' ? {} : { state: value })}
          />
        }
      >
        {page.isError ? (
          <Problem error={page.error} retry={() => void page.refetch()} />
        ) : (
          <Table
            label={t('mails.parts.log')}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            empty={<Empty icon="mail" text={t(state === undefined ? 'mails.none' : 'mails.none_found')} />}
          />
        )}
        <PageFoot page={page.data} turnTo={(span) => go({ ...filter, ...span })} />
      </Card>
      {mail !== undefined && <OneMail id={mail} close={() => go({ ...filter, ...span })} />}
    </MailsPage>
  )
}

/** A mail with what became of it. */
function OneMail({ id, close }: { id: number; close: () => void }) {
  const mail = useQuery(mailQuery(id))
  const retry = useRetryMail()
  const { data } = mail
  return (
    <Dialog title={data?.subject ?? t('mails.one')} close={close}>
      {mail.isError ? (
        <Problem error={mail.error} retry={() => void mail.refetch()} />
      ) : data === undefined ? (
        <span className="skeleton" />
      ) : (
        <div className="stack mail-dialog">
          <p>
            <Chip tone={TONES[data.state]}>{t(`mails.states.${data.state}`)}</Chip>{' '}
            {t('mails.to', { recipient: data.recipient, time: dayAndTime(data.created_at) })}
          </p>
          {data.last_error !== null && data.state !== 'sent' && (
            <p className="notice bad">{t('mails.because', { reason: data.last_error })}</p>
          )}
          {data.html !== null && <MailFrame title={data.subject} html={data.html} />}
          <div className="actions">
            {(data.state === 'failed' || data.state === 'kept') && (
              <Button
                look="primary"
                disabled={retry.isPending}
                onClick={() =>
                  retry.mutate(id, {
                    onSuccess: () => toast(t('mails.retried', { recipient: data.recipient })),
                    onError: (error) => toast(problemText(error)),
                  })
                }
              >
                {t('mails.retry')}
              </Button>
            )}
            <Button look="plain" onClick={close}>
              {t('common.close')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

/** The addresses that mail servers refused lately. */
function Refused() {
  const refused = useQuery(refusedQuery).data ?? []
  if (refused.length === 0) return null
  return (
    <Card title={t('mails.refused')} aside={t('mails.refused_about')}>
      <ul className="rows">
        {refused.map(({ recipient, count, last_error, last_failed_at }) => (
          <li key={recipient}>
            <span className="grow">
              <span className="strong">{recipient}</span>
              <br />
              <span className="muted small">{last_error}</span>
            </span>
            <span className="muted small">{t('mails.refused_times', { count, time: shortTime(last_failed_at) })}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
