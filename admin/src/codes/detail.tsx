import './codes.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { beginningOf, lastDayBefore } from '../ui/charts/days.ts'
import { Confirm } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Gift } from './gift.tsx'
import { type Code, type CodeChange, codeQuery, useSaveCode, useStopCode } from './queries.ts'
import { RedeemedBy } from './redeemed-by.tsx'
import { endOf, membershipInWords, stateOf, usesOf } from './words.ts'

const route = getRouteApi('/discounts/codes/$id')
const TRAIL = () => ({ to: '/discounts/codes', title: t('discounts.parts.codes') })

/** A code: what it gives, who redeemed it, and to whom it was sent. */
export function CodeDetail() {
  const id = Number(route.useParams().id)
  const read = useQuery(codeQuery(id))
  if (read.data === undefined)
    return (
      <Page title={t('discounts.parts.codes')} trail={TRAIL()}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const { code } = read.data
  const { tone, text } = stateOf(code)
  return (
    <Page
      title={code.code}
      trail={TRAIL()}
      chips={
        <>
          <Chip tone={tone}>{text}</Chip>
          <CopyButton text={code.code} label={t('codes.copy')} />
        </>
      }
      about={code.title}
      actions={<Stop code={code} />}
    >
      <div className="columns">
        <div className="stack">
          <RedeemedBy code={code} />
          <Gift code={code} />
        </div>
        <div className="stack">
          <Facts code={code} />
          <Editor key={id} read={read.data} />
        </div>
      </div>
    </Page>
  )
}

function Facts({ code }: { code: Code }) {
  return (
    <Card title={t('codes.facts')}>
      <dl className="facts">
        {code.group_id === null ? (
          <div>
            <dt>{t('codes.license')}</dt>
            <dd>{code.license_title ?? t('picker.no_license')}</dd>
          </div>
        ) : (
          <div>
            <dt>{t('codes.membership')}</dt>
            <dd>
              <Link to="/memberships/$id" params={{ id: code.group_id }}>
                {code.title}
              </Link>
              <span className="muted small block">{membershipInWords(code)}</span>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('codes.columns.used')}</dt>
          <dd>{usesOf(code)}</dd>
        </div>
        <div>
          <dt>{t('codes.columns.expires')}</dt>
          <dd>{endOf(code)}</dd>
        </div>
        <div>
          <dt>{t('codes.made')}</dt>
          <dd>{dayAndTime(code.created_at)}</dd>
        </div>
        {code.order_id !== null && (
          <div>
            <dt>{t('codes.order')}</dt>
            <dd>
              <Link to="/orders/$id" params={{ id: String(code.order_id) }}>
                {`#${code.order_id}`}
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

type Draft = { expires: string; note: string }
type Read = { code: Code; etag: string }

const draftOf = ({ code: { expires_at, note } }: Read): Draft => ({
  expires: expires_at === null ? '' : lastDayBefore(expires_at),
  note,
})

const changesIn = (before: Draft, after: Draft): CodeChange => ({
  ...(before.expires === after.expires
    ? {}
    : { expires_at: after.expires === '' ? null : beginningOf(after.expires, 1) }),
  ...(before.note === after.note ? {} : { note: after.note }),
})

function Editor({ read }: { read: Read }) {
  const save = useSaveCode(read.code.id)
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save,
    saidOf: () => t('codes.saved'),
  })
  return (
    <form className="stack" onSubmit={submit}>
      <Card label={t('codes.note')}>
        <div className="card-body stack">
          <TextField
            type="date"
            label={t('codes.expires')}
            hint={t('codes.expires_hint')}
            value={draft.expires}
            onValue={(expires) => set({ expires })}
            error={errorAt('expires_at')}
          />
          <TextField
            label={t('codes.note')}
            hint={t('codes.note_hint')}
            value={draft.note}
            onValue={(note) => set({ note })}
            error={errorAt('note')}
            maxLength={1000}
          />
        </div>
      </Card>
      <SaveBar {...bar} />
    </form>
  )
}

function Stop({ code: { id, code, state } }: { code: Code }) {
  const stop = useStopCode(id)
  const [isAsked, ask] = useState(false)
  return (
    <>
      {state !== 'revoked' && (
        <Button look="danger" onClick={() => ask(true)}>
          {t('codes.stop')}
        </Button>
      )}
      {isAsked && (
        <Confirm
          title={t('codes.stop_title', { code })}
          text={t('codes.stop_text')}
          action={t('codes.stop')}
          isDanger
          problem={stop.isError ? problemText(stop.error) : undefined}
          isBusy={stop.isPending}
          confirm={() =>
            stop.mutate(undefined, {
              onSuccess: () => {
                toast(t('codes.stopped', { code }))
                ask(false)
              },
            })
          }
          close={() => ask(false)}
        />
      )}
    </>
  )
}
