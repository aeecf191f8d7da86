import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { beginningOf } from '../ui/charts/days.ts'
import { Confirm } from '../ui/confirm.tsx'
import { TextArea, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Code, type GiftInput, useCallBack, useGiveCode } from './queries.ts'

type Given = NonNullable<Code['gift']>

/** When a gift was sent, or what became of it. */
function stateOf({ send_at, sent_at, called_back_at }: Given): string {
  if (called_back_at !== null) return t('codes.gift_called_back', { time: dayAndTime(called_back_at) })
  return sent_at === null
    ? t('codes.gift_waits', { time: dayAndTime(send_at) })
    : t('codes.gift_sent', { time: dayAndTime(sent_at) })
}

const isWaiting = ({ sent_at, called_back_at }: Given) => sent_at === null && called_back_at === null

/** To whom a code was sent by email, and the way to send it. */
export function Gift({ code }: { code: Code }) {
  const { gift, state } = code
  const [isOpen, open] = useState(false)
  const canGive = state === 'active' && (gift === null || !isWaiting(gift))
  return (
    <Card title={t('codes.gift')}>
      <div className="card-body stack">
        {gift === null ? <p className="muted">{t('codes.gift_none')}</p> : <Sent code={code} gift={gift} />}
        {isOpen ? (
          <GiftForm code={code} close={() => open(false)} />
        ) : (
          canGive && (
            <div className="actions">
              <Button icon="mail" onClick={() => open(true)}>
                {t(gift === null ? 'codes.gift_send' : 'codes.other_gift')}
              </Button>
            </div>
          )
        )}
      </div>
    </Card>
  )
}

function Sent({ code, gift }: { code: Code; gift: Given }) {
  const again = useGiveCode(code.id)
  const back = useCallBack(code.id)
  const [isAsked, ask] = useState(false)
  const { email, name, message } = gift
  return (
    <>
      <p>
        <span className="strong">{[name, email].filter(Boolean).join(', ')}</span>
        <br />
        <span className="muted">{stateOf(gift)}</span>
      </p>
      {message !== '' && <blockquote className="said gift-message">{message}</blockquote>}
      {back.isError && (
        <p className="notice bad" role="alert">
          {problemText(back.error)}
        </p>
      )}
      <div className="actions">
        {isWaiting(gift) && (
          <Button
            icon="undo"
            disabled={back.isPending}
            onClick={() => back.mutate(undefined, { onSuccess: () => toast(t('codes.called_back')) })}
          >
            {t('codes.call_back')}
          </Button>
        )}
        {gift.sent_at !== null && code.state === 'active' && (
          <Button icon="mail" onClick={() => ask(true)}>
            {t('codes.gift_again')}
          </Button>
        )}
      </div>
      {isAsked && (
        <Confirm
          title={t('codes.gift_again_title')}
          text={t('codes.gift_again_text', { email })}
          action={t('codes.gift_again')}
          problem={again.isError ? problemText(again.error) : undefined}
          isBusy={again.isPending}
          confirm={() =>
            again.mutate(
              { email, name, message },
              {
                onSuccess: () => {
                  toast(t('codes.gift_done', { email }))
                  ask(false)
                },
              },
            )
          }
          close={() => ask(false)}
        />
      )}
    </>
  )
}

const EMPTY = { email: '', name: '', message: '', at: '' }

function GiftForm({ code, close }: { code: Code; close: () => void }) {
  const [draft, setDraft] = useState(EMPTY)
  const give = useGiveCode(code.id)
  const errors = errorsOf(give.error)
  const set = (part: Partial<typeof EMPTY>) => setDraft((now) => ({ ...now, ...part }))
  const input: GiftInput = {
    email: draft.email.trim(),
    name: draft.name.trim(),
    message: draft.message.trim(),
    ...(draft.at === '' ? {} : { send_at: beginningOf(draft.at) }),
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        give.mutate(input, {
          onSuccess: () => {
            toast(t('codes.gift_done', { email: input.email }))
            close()
          },
        })
      }}
    >
      <div className="pair">
        <TextField
          type="email"
          label={t('codes.gift_email')}
          value={draft.email}
          onValue={(email) => set({ email })}
          error={errors.email?.[0]}
          maxLength={100}
        />
        <TextField
          label={t('codes.gift_name')}
          value={draft.name}
          onValue={(name) => set({ name })}
          error={errors.name?.[0]}
          maxLength={100}
        />
      </div>
      <TextArea
        label={t('codes.gift_text')}
        value={draft.message}
        onValue={(message) => set({ message })}
        error={errors.message?.[0]}
      />
      <TextField
        type="date"
        label={t('codes.gift_at')}
        hint={t('codes.gift_at_hint')}
        value={draft.at}
        onValue={(at) => set({ at })}
        error={errors.send_at?.[0]}
      />
      {give.isError && Object.keys(errors).length === 0 && (
        <p className="notice bad" role="alert">
          {problemText(give.error)}
        </p>
      )}
      <div className="actions">
        <Button type="submit" look="primary" icon="mail" disabled={give.isPending}>
          {t('codes.gift_send')}
        </Button>
        <Button look="plain" onClick={close}>
          {t('common.back')}
        </Button>
      </div>
    </form>
  )
}
