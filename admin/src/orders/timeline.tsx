import type { Schemas } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Order, timelineQuery, useAddNote, useDeleteNote } from './queries.ts'
import { BY_HAND } from './status.tsx'

type Entry = Schemas['TimelineEntry']

const TONES: Partial<Record<Entry['kind'], 'ok' | 'bad'>> = {
  paid: 'ok',
  shipped: 'ok',
  cancelled: 'bad',
  mail_failed: 'bad',
}

/** What happened, in a sentence. */
function sentenceOf({ kind, amount, text }: Entry, { currency }: Order): string {
  const words = text ?? ''
  const sum = money(amount ?? 0, currency)
  switch (kind) {
    case 'paid':
      if (amount === 0) return t('timeline.free')
      return words === BY_HAND
        ? t('timeline.paid_by_hand', { amount: sum })
        : t('timeline.paid', { amount: sum, gateway: words })
    case 'refunded':
      return t('timeline.refunded', { amount: sum })
    case 'mailed':
    case 'mail_failed':
      return t(`timeline.${kind}`, { subject: words })
    case 'first_used':
    case 'downloaded':
      return t(`timeline.${kind}`, { title: words })
    case 'invoiced':
    case 'credited':
      return t(`timeline.${kind}`, { number: words, amount: sum })
    case 'note':
      return words
    default:
      return t(`timeline.${kind}`)
  }
}

/** Who did it; nothing where it is plain. */
function authorOf({ by, name, kind }: Entry): string {
  if (by === 'user') return name ?? t('timeline.by.user')
  if (by === 'app') return name === null ? t('timeline.by.app') : t('timeline.by.named_app', { name })
  return by === 'customer' && kind === 'placed' ? t('timeline.by.customer') : ''
}

/** What happened to an order, newest first, and what the people of the company write down about it. */
export function Timeline({ order }: { order: Order }) {
  const timeline = useQuery(timelineQuery(order.id))
  return (
    <Card title={t('timeline.title')}>
      <NoteField order={order} />
      {timeline.isError && <Problem error={timeline.error} retry={() => void timeline.refetch()} />}
      {timeline.isPending && <WaitingRows count={2} />}
      <ol className="timeline">
        {timeline.data?.toReversed().map((entry) => (
          <Moment key={`${entry.kind} ${entry.id}`} entry={entry} order={order} />
        ))}
      </ol>
    </Card>
  )
}

function Moment({ entry, order }: { entry: Entry; order: Order }) {
  const { kind, created_at, text, url, note_id } = entry
  const author = authorOf(entry)
  return (
    <li className={[TONES[kind], kind === 'note' && 'note'].filter(Boolean).join(' ')}>
      <span className="grow">
        {sentenceOf(entry, order)}
        {kind === 'refunded' && text !== null && <span className="muted"> “{text}”</span>}
        {kind === 'shipped' && text !== null && (
          <span className="muted"> {url === null ? text : <a href={url}>{text}</a>}</span>
        )}
        {author !== '' && <span className="muted small block">{author}</span>}
      </span>
      <span className="with-end">
        {note_id !== null && <DeleteNote order={order} id={note_id} />}
        <time dateTime={`${created_at}Z`} title={dayAndTime(created_at)}>
          {shortTime(created_at)}
        </time>
      </span>
    </li>
  )
}

function NoteField({ order }: { order: Order }) {
  const [text, setText] = useState('')
  const add = useAddNote(order.id)
  return (
    <form
      className="card-body note-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') add.mutate(text.trim(), { onSuccess: () => setText('') })
      }}
    >
      <TextField
        label={t('timeline.note')}
        value={text}
        onValue={setText}
        maxLength={5000}
        error={add.isError ? problemText(add.error) : undefined}
      />
      {text.trim() !== '' && (
        <Button type="submit" look="primary" disabled={add.isPending}>
          {t('timeline.add_note')}
        </Button>
      )}
    </form>
  )
}

function DeleteNote({ order, id }: { order: Order; id: number }) {
  const [isAsked, setIsAsked] = useState(false)
  const remove = useDeleteNote(order.id)
  return (
    <>
      <Button look="plain" icon="close" aria-label={t('timeline.delete_note')} onClick={() => setIsAsked(true)} />
      {isAsked && (
        <Confirm
          title={t('timeline.delete_title')}
          text={t('timeline.delete_text')}
          action={t('timeline.delete_action')}
          isDanger
          problem={remove.isError ? problemText(remove.error) : undefined}
          isBusy={remove.isPending}
          confirm={() =>
            remove.mutate(id, {
              onSuccess: () => {
                setIsAsked(false)
                toast(t('timeline.deleted'))
              },
            })
          }
          close={() => setIsAsked(false)}
        />
      )}
    </>
  )
}
