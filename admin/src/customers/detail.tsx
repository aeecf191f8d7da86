import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DeliveryChip, PaymentChip } from '../orders/status.tsx'
import { boughtIn } from '../orders/words.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { TextArea } from '../ui/fields.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { count, countryName, dayAndTime, languageName, money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Owned } from './owned.tsx'
import {
  type Customer,
  customerQuery,
  devicesQuery,
  ordersOfQuery,
  useErase,
  useRemoveDevice,
  useSaveNote,
  useSetState,
} from './queries.ts'
import { nameOf } from './words.ts'

const route = getRouteApi('/customers/$token')

export function CustomerDetail() {
  const { token } = route.useParams()
  const customer = useQuery(customerQuery(token))
  if (customer.data !== undefined) return <CustomerPage customer={customer.data} />
  return (
    <Page title={t('customers.customer')} trail={{ to: '/customers', title: t('menu.customers') }}>
      {customer.isError ? (
        <Problem error={customer.error} retry={() => void customer.refetch()} />
      ) : (
        <Card label={t('customers.customer')}>
          <div className="card-body">
            <span className="skeleton" />
          </div>
        </Card>
      )}
    </Page>
  )
}

function CustomerPage({ customer }: { customer: Customer }) {
  const [asked, setAsked] = useState<'state' | 'erase'>()
  const close = () => setAsked(undefined)
  const isDisabled = customer.state === 'disabled'
  const mayUnlock = useMay('unlock')
  return (
    <Page
      title={nameOf(customer)}
      trail={{ to: '/customers', title: t('menu.customers') }}
      chips={isDisabled ? <Chip tone="bad">{t('customers.states.disabled')}</Chip> : undefined}
      about={t('customers.about', { count: customer.orders_count, since: dayAndTime(customer.created_at) })}
      actions={
        mayUnlock && (
          <>
            <Button look={isDisabled ? 'primary' : 'danger'} onClick={() => setAsked('state')}>
              {isDisabled ? t('customers.enable') : t('customers.disable')}
            </Button>
            <Button look="danger" onClick={() => setAsked('erase')}>
              {t('customers.erase')}
            </Button>
          </>
        )
      }
    >
      <div className="columns">
        <div className="stack">
          <Owned customer={customer} />
          <OrdersOf customer={customer} />
        </div>
        <div className="stack">
          <Facts customer={customer} />
          <Note key={customer.token} customer={customer} />
          <Devices customer={customer} mayRemove={mayUnlock} />
        </div>
      </div>
      {asked === 'state' && <StateQuestion customer={customer} close={close} />}
      {asked === 'erase' && <EraseQuestion customer={customer} close={close} />}
    </Page>
  )
}

function OrdersOf({ customer }: { customer: Customer }) {
  const orders = useQuery(ordersOfQuery(customer.token))
  const rows = orders.data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <Card title={t('menu.orders')} aside={count(customer.orders_count)}>
      <ul className="rows">
        {rows.map((order) => (
          <li key={order.id}>
            <span className="grow cut">
              <Link className="strong figure" to="/orders/$id" params={{ id: String(order.id) }}>
                {order.name}
              </Link>{' '}
              <span className="muted">{boughtIn(order)}</span>
            </span>
            <PaymentChip order={order} />
            <DeliveryChip order={order} />
            <span className="figure strong">{money(order.total_price, order.currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Facts({ customer }: { customer: Customer }) {
  const { default_address: address } = customer
  return (
    <Card title={t('customers.facts')}>
      <dl className="facts">
        <div>
          <dt>{t('orders.email')}</dt>
          <dd>
            <a href={`mailto:${customer.email}`}>{customer.email}</a>
          </dd>
        </div>
        <div>
          <dt>{t('orders.language')}</dt>
          <dd>{languageName(customer.language)}</dd>
        </div>
        {address != null && (
          <div>
            <dt>{t('customers.address')}</dt>
            <dd>{[address.company, address.address1, address.address2].filter(Boolean).join(', ')}</dd>
            <dd>
              {[`${address.zip} ${address.city}`.trim(), countryName(address.country_code)].filter(Boolean).join(', ')}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('customers.token')}</dt>
          <dd>
            <code>{customer.token}</code>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

/** What the company wants to remember. The customer does not see it. */
function Note({ customer }: { customer: Customer }) {
  const [note, setNote] = useState(customer.note)
  const save = useSaveNote(customer.token)
  return (
    <Card title={t('customers.note')}>
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(note, { onSuccess: () => toast(t('customers.note_saved')) })
        }}
      >
        <TextArea
          label={t('customers.note_label')}
          value={note}
          onValue={setNote}
          error={save.isError ? problemText(save.error) : undefined}
        />
        {note !== customer.note && (
          <div className="actions">
            <Button type="submit" look="primary" disabled={save.isPending}>
              {t('save.save')}
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

/** A device that is removed makes room for another one. */
function Devices({ customer, mayRemove }: { customer: Customer; mayRemove: boolean }) {
  const devices = useQuery(devicesQuery(customer.token)).data?.rows ?? []
  const remove = useRemoveDevice(customer.token)
  if (devices.length === 0) return null
  return (
    <Card title={t('customers.devices')} aside={count(devices.length)}>
      <ul className="rows">
        {devices.map((device) => (
          <li key={device.id}>
            <span className="grow cut">{device.name || device.device_id}</span>
            <time className="muted small">{shortTime(device.last_seen_at)}</time>
            {mayRemove && (
              <Button
                look="plain"
                icon="close"
                disabled={remove.isPending}
                aria-label={t('customers.remove_device', { device: device.name || device.device_id })}
                onClick={() =>
                  remove.mutate(device.id, {
                    onSuccess: () => toast(t('customers.device_removed')),
                    onError: (error) => toast(problemText(error)),
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function EraseQuestion({ customer, close }: { customer: Customer; close: () => void }) {
  const erase = useErase(customer.token)
  const navigate = useNavigate()
  const name = nameOf(customer)
  return (
    <Confirm
      title={t('customers.erase_title', { name })}
      text={t('customers.erase_text')}
      action={t('customers.erase')}
      isDanger
      problem={erase.isError ? problemText(erase.error) : undefined}
      isBusy={erase.isPending}
      confirm={() =>
        erase.mutate(undefined, {
          onSuccess: () => {
            toast(t('customers.erased', { name }))
            void navigate({ to: '/customers', search: {} })
          },
        })
      }
      close={close}
    />
  )
}

function StateQuestion({ customer, close }: { customer: Customer; close: () => void }) {
  const setState = useSetState(customer.token)
  const isDisabled = customer.state === 'disabled'
  const name = nameOf(customer)
  return (
    <Confirm
      title={isDisabled ? t('customers.enable_title', { name }) : t('customers.disable_title', { name })}
      text={isDisabled ? t('customers.enable_text') : t('customers.disable_text')}
      action={isDisabled ? t('customers.enable') : t('customers.disable')}
      isDanger={!isDisabled}
      problem={setState.isError ? problemText(setState.error) : undefined}
      isBusy={setState.isPending}
      confirm={() =>
        setState.mutate(isDisabled ? 'enabled' : 'disabled', {
          onSuccess: () => {
            close()
            toast(isDisabled ? t('customers.enabled', { name }) : t('customers.disabled', { name }))
          },
        })
      }
      close={close}
    />
  )
}
