import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { appsQuery, permissionsQuery, useCreateWebhook } from './queries.ts'
import { TOPICS } from './topics.gen.ts'
import { topicText } from './words.ts'

/** The apps whose secret can sign events: those that the company has let in or registered, each once. */
function useSigners(): { value: string; title: string }[] | undefined {
  const own = useQuery(appsQuery).data
  const installed = useQuery(permissionsQuery).data?.filter(({ user_email }) => user_email !== null)
  if (own === undefined || installed === undefined) return undefined
  const names = new Map([...own, ...installed].map(({ id, name }) => [id, name]))
  return [...names].map(([id, name]) => ({ value: String(id), title: name }))
}

/** Subscribes an app to something that happens. */
export function NewWebhook({ close }: { close: () => void }) {
  const apps = useSigners()
  const create = useCreateWebhook()
  const navigate = useNavigate()
  const [app, setApp] = useState('')
  const [topic, setTopic] = useState<(typeof TOPICS)[number]>('order/create')
  const [address, setAddress] = useState('')
  const errors = errorsOf(create.error)
  if (apps?.length === 0)
    return (
      <Dialog title={t('webhooks.add')} close={close}>
        <p>{t('webhooks.needs_app')}</p>
        <div className="actions">
          <ButtonLink look="primary" to="/apps">
            {t('apps.register')}
          </ButtonLink>
        </div>
      </Dialog>
    )
  const chosen = app || apps?.[0]?.value || ''
  return (
    <Dialog title={t('webhooks.add')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(
            { app_id: Number(chosen), topic, address: address.trim() },
            {
              onSuccess: ({ id }) => {
                toast(t('webhooks.added'))
                close()
                void navigate({ to: '/apps/webhooks', search: { webhook: id } })
              },
            },
          )
        }}
      >
        <TextField
          label={t('webhooks.address')}
          hint={t('webhooks.address_hint')}
          value={address}
          maxLength={2000}
          onValue={setAddress}
          error={errors.address?.[0]}
        />
        <SelectField
          label={t('webhooks.topic')}
          value={topic}
          onValue={setTopic}
          options={TOPICS.map((value) => ({ value, title: topicText(value) }))}
          error={errors.topic?.[0]}
        />
        <SelectField
          label={t('webhooks.app')}
          hint={t('webhooks.app_hint')}
          value={chosen}
          onValue={setApp}
          options={apps ?? []}
          error={errors.app_id?.[0]}
        />
        {create.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={create.isPending || apps === undefined}>
            {t('webhooks.add')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
