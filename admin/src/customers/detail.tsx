import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { SubscriptionsOfCustomer } from '../subscriptions/of.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { TextArea } from '../ui/forms/fields.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { count, countryName, dayAndTime, languageName, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Give } from './give.tsx'
import { OrdersOf } from './orders-of.tsx'
import { Owned } from './owned.tsx'
import {
  type Customer,
  customerQuery,
  devicesQuery,
  useErase,
  useExport,
  useRemoveDevice,
  useSaveNote,
  useSetState,
} from './queries.ts'
import { Refusals } from './refusals.tsx'
import { SignInLink } from './sign-in-link.tsx'
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
  const [asked, setAsked] = useState<'state' | 'erase' | 'give' | 'link'>()
  const close = () => setAsked(undefined)
  const isDisabled = customer.state === 'disabled'
  const mayUnlock = useMay('unlock')
  const mayAccount = useMay('accounting')
  return (
    <Page
      title={nameOf(customer)}
      trail={{ to: '/customers', title: t('menu.customers') }}
      chips={isDisabled ? <Chip tone="bad">{t('customers.states.disabled')}</Chip> : undefined}
      about={t('customers.about', { count: customer.orders_count, since: dayAndTime(customer.created_at) })}
      actions={
        <>
          {mayUnlock && !isDisabled && (
            <Button icon="mail" onClick={() => setAsked('link')}>
              {t('sign_in_link.open')}
            </Button>
          )}
          {mayAccount && !isDisabled && (
            <>
              <ButtonLink to="/orders/new" search={{ customer: customer.token }}>
                {t('orders.new')}
              </ButtonLink>
              <Button look="primary" onClick={() => setAsked('give')}>
                {t('give.open')}
              </Button>
            </>
          )}
          {mayUnlock && (
            <Button look={isDisabled ? 'primary' : 'danger'} onClick={() => setAsked('state')}>
              {isDisabled ? t('customers.enable') : t('customers.disable')}
            </Button>
          )}
        </>
      }
    >
      <div className="columns">
        <div className="stack">
          <Owned customer={customer} />
          <SubscriptionsOfCustomer customer={customer} />
          <Refusals customer={customer} />
          <OrdersOf key={customer.token} customer={customer} />
        </div>
        <div className="stack">
          <Facts customer={customer} />
          <Note key={customer.token} customer={customer} />
          <Devices customer={customer} mayRemove={mayUnlock} />
          {mayUnlock && <TheirData customer={customer} erase={() => setAsked('erase')} />}
        </div>
      </div>
      {asked === 'give' && <Give customer={customer} close={close} />}
      {asked === 'link' && <SignInLink customer={customer} close={close} />}
      {asked === 'state' && <StateQuestion customer={customer} close={close} />}
      {asked === 'erase' && <EraseQuestion customer={customer} close={close} />}
    </Page>
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

/** What the law gives customers: a copy of what is known of them, and to be forgotten. */
function TheirData({ customer, erase }: { customer: Customer; erase: () => void }) {
  const exported = useExport(customer.token)
  return (
    <Card title={t('customers.data')}>
      <ul className="rows">
        <li>
          <span className="grow">
            {t('customers.export')}
            <span className="muted small block">{t('customers.export_text')}</span>
          </span>
          <Button
            icon="download"
            disabled={exported.isPending}
            onClick={() =>
              exported.mutate(undefined, {
                onSuccess: (data) => saveFile(`customer-${customer.token}.json`, data),
                onError: (error) => toast(problemText(error)),
              })
            }
          >
            {t('customers.export_action')}
          </Button>
        </li>
        <li>
          <span className="grow">
            {t('customers.erase_label')}
            <span className="muted small block">{t('customers.erase_about')}</span>
          </span>
          <Button look="danger" onClick={erase}>
            {t('customers.erase')}
          </Button>
        </li>
      </ul>
    </Card>
  )
}

/** Lets the browser save an answer as a file. */
function saveFile(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 0)
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
