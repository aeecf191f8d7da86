import { LicetError } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { buyerOf } from '../orders/words.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { MailFrame } from './frame.tsx'
import { isAboutOrder, type Kind } from './kinds.ts'
import { previewQuery, shownOrdersQuery, type TextChange, useSendTest } from './queries.ts'

const SIZES = ['desk', 'phone', 'text'] as const

/** The mail as a customer gets it, with an order of the shop, before anything is saved. */
export function Preview({ kind, language, texts }: { kind: Kind; language: string; texts: TextChange[] }) {
  const { user } = useSession()
  const [size, setSize] = useState<(typeof SIZES)[number]>('desk')
  const [orderId, setOrderId] = useState<number>()
  const orders = useQuery({ ...shownOrdersQuery, enabled: isAboutOrder(kind) }).data ?? []
  const input = { ...(orderId === undefined ? {} : { order_id: orderId }), texts: useDeferredValue(texts) }
  const preview = useQuery(previewQuery(kind, language, input))
  const test = useSendTest(kind, language)
  const send = () =>
    test.mutate(
      { ...input, texts },
      {
        onSuccess: (recipient) => toast(t('mails.test_sent', { recipient })),
        onError: (error) => toast(problemText(error)),
      },
    )
  // What is wrong with a text is said at its field when it is saved.
  const isAtField = preview.error instanceof LicetError && Object.keys(preview.error.errors).length > 0
  return (
    <Card
      title={t('mails.preview')}
      end={
        <div className="preview-head">
          {isAboutOrder(kind) && orders.length > 0 && (
            <select
              className="input"
              aria-label={t('mails.preview_order')}
              value={orderId ?? orders[0]?.id}
              onChange={({ target }) => setOrderId(Number(target.value))}
            >
              {orders.map((order) => (
                <option key={order.id} value={order.id}>
                  {`${order.name}, ${buyerOf(order)}`}
                </option>
              ))}
            </select>
          )}
          <Segments
            label={t('mails.preview_size')}
            values={SIZES.map((value) => ({ value, title: t(`mails.sizes.${value}`) }))}
            chosen={size}
            choose={setSize}
          />
          <Button icon="mail" disabled={test.isPending || preview.isError} onClick={send}>
            {t('mails.send_test')}
          </Button>
        </div>
      }
    >
      {preview.isError ? (
        <p className="card-body muted" role="status">
          {isAtField ? t('mails.preview_wrong') : problemText(preview.error)}
        </p>
      ) : (
        <div className="card-body stack">
          <p className="mail-subject">
            <span className="muted">{t('mails.names.subject')}</span>{' '}
            <span className="strong">{preview.data?.subject ?? <span className="skeleton" />}</span>
          </p>
          {preview.data !== undefined &&
            (size === 'text' ? (
              <pre className="mail-plain">{preview.data.text}</pre>
            ) : (
              <MailFrame title={t('mails.preview')} html={preview.data.html} isPhone={size === 'phone'} />
            ))}
          <p className="muted small">{t('mails.preview_about', { email: user.email })}</p>
        </div>
      )}
    </Card>
  )
}
