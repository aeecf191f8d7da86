import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DayField, SelectField, TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, useExtend } from './queries.ts'
import type { Right } from './right.tsx'

const SPANS = { none: 0, hours: 24, week: 168, month: 720 } as const
const SPAN_NAMES = ['none', 'hours', 'week', 'month', 'day'] as const
type SpanName = (typeof SPAN_NAMES)[number]

const wireOf = (time: Date) => time.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)
const countIn = (typed: string) => (/^\d{1,5}$/.test(typed.trim()) ? Number(typed) : 0)

/** The new end: so long after the old one, or after now if that is over; at the end of a day; or none. */
function endOf({ ends_at }: Right, span: SpanName, day: string): string | undefined {
  if (span === 'day') return day === '' ? undefined : wireOf(new Date(`${day}T23:59:59`))
  if (span === 'none') return undefined
  const from = Math.max(Date.now(), ends_at === null ? 0 : timeOf(ends_at).getTime())
  return wireOf(new Date(from + SPANS[span] * 3_600_000))
}

/** Gives a customer more of something that they own: time, downloads or devices. What has no limit is not asked for. */
export function Extend({ customer, right, close }: { customer: Customer; right: Right; close: () => void }) {
  const { ends_at, remaining, title } = right
  const [span, setSpan] = useState<SpanName>(ends_at === null ? 'none' : 'hours')
  const [day, setDay] = useState('')
  const [downloads, setDownloads] = useState('')
  const [devices, setDevices] = useState('')
  const [reason, setReason] = useState('')
  const extend = useExtend(customer.token)
  const errors = errorsOf(extend.error)
  const end = endOf(right, span, day)
  const more = { downloads: countIn(downloads), devices: countIn(devices) }
  const isReady = reason.trim() !== '' && (end !== undefined || more.downloads > 0 || more.devices > 0)
  const hasNothing = ends_at === null && remaining.downloads === null && remaining.devices === null
  return (
    <Dialog title={t('extend.title', { title })} close={close}>
      {hasNothing ? (
        <>
          <p>{t('extend.nothing')}</p>
          <div className="actions">
            <Button look="plain" onClick={close}>
              {t('common.back')}
            </Button>
          </div>
        </>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isReady) return
            const extension = {
              reason: reason.trim(),
              ...(end === undefined ? {} : { ends_at: end }),
              ...(more.downloads === 0 ? {} : { downloads: more.downloads }),
              ...(more.devices === 0 ? {} : { devices: more.devices }),
            }
            extend.mutate(
              { id: right.id, extension },
              {
                onSuccess: () => {
                  close()
                  toast(t('extend.done', { title }))
                },
              },
            )
          }}
        >
          {ends_at !== null && (
            <SelectField
              label={t('extend.time')}
              hint={
                end === undefined
                  ? t('extend.ends', { time: dayAndTime(ends_at) })
                  : t('extend.until', { time: dayAndTime(end) })
              }
              value={span}
              options={SPAN_NAMES.map((value) => ({ value, title: t(`extend.spans.${value}`) }))}
              onValue={setSpan}
              error={errors.ends_at?.[0]}
            />
          )}
          {span === 'day' && <DayField label={t('extend.day')} value={day} onValue={setDay} />}
          {remaining.downloads !== null && (
            <TextField
              label={t('extend.downloads')}
              hint={t('extend.downloads_left', { count: remaining.downloads })}
              value={downloads}
              onValue={setDownloads}
              maxLength={5}
              error={errors.downloads?.[0]}
            />
          )}
          {remaining.devices !== null && (
            <TextField
              label={t('extend.devices')}
              hint={t('extend.devices_left', { count: remaining.devices })}
              value={devices}
              onValue={setDevices}
              maxLength={5}
              error={errors.devices?.[0]}
            />
          )}
          <TextField
            label={t('extend.reason')}
            hint={t('extend.reason_hint')}
            value={reason}
            onValue={setReason}
            maxLength={500}
            error={errors.reason?.[0]}
          />
          {extend.isError && (
            <p className="notice bad" role="alert">
              {problemText(extend.error)}
            </p>
          )}
          <div className="actions">
            <Button type="submit" look="primary" disabled={!isReady || extend.isPending}>
              {t('extend.action')}
            </Button>
            <Button look="plain" onClick={close}>
              {t('common.back')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
