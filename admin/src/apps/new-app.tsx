import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { AppFields, EMPTY_APP, inputOf } from './fields.tsx'
import { useCreateApp } from './queries.ts'
import { Secret } from './secret.tsx'

/** Registers an app, and shows its secret. */
export function NewApp({ close }: { close: () => void }) {
  const [draft, setDraft] = useState(EMPTY_APP)
  const create = useCreateApp()
  const navigate = useNavigate()
  const errors = errorsOf(create.error)
  if (create.data !== undefined) {
    const { id, client_id, client_secret } = create.data
    return (
      <Dialog title={t('apps.registered', { app: create.data.name })} close={close}>
        <div className="stack">
          <Secret label={t('apps.secret')} value={client_secret} />
          <p>{t('apps.client_id_is', { id: client_id })}</p>
          <div className="actions">
            <Button look="primary" onClick={() => void navigate({ to: '/apps/$id', params: { id: String(id) } })}>
              {t('apps.copied_it')}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('apps.register')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(inputOf(draft))
        }}
      >
        <AppFields draft={draft} set={(part) => setDraft({ ...draft, ...part })} errorsAt={errors} />
        {create.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={create.isPending}>
            {t('apps.register')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
