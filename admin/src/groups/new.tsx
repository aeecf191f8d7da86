import { LicetError } from '@licet/client'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { LicenseField } from './license-field.tsx'
import { type Group, useCreateGroup } from './queries.ts'
import { KINDS } from './words.ts'

/** Makes a group, and goes to it. What it is for cannot be changed later. */
export function NewGroup({ close }: { close: () => void }) {
  const [kind, setKind] = useState<Group['kind']>('subscription')
  const [title, setTitle] = useState('')
  const [license, setLicense] = useState<number | null>(null)
  const create = useCreateGroup()
  const navigate = useNavigate()
  const errors = create.error instanceof LicetError ? create.error.errors : {}
  const store = () =>
    create.mutate(
      { kind, title: title.trim(), license_id: license },
      {
        onSuccess: ({ id }) => {
          toast(t('groups.created', { title: title.trim() }))
          void navigate({ to: '/memberships/$id', params: { id } })
        },
      },
    )
  return (
    <Dialog title={t('groups.new')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <TextField
          label={t('groups.title')}
          hint={t('groups.title_hint')}
          value={title}
          onValue={setTitle}
          error={errors.title?.[0]}
          maxLength={100}
        />
        <fieldset>
          <legend className="strong">{t('groups.columns.kind')}</legend>
          <div className="choices one">
            {KINDS.map((each) => (
              <label key={each} className="choice">
                <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
                <span className="strong">{t(`groups.kinds.${each}`)}</span>
                <span className="muted small">{t(`groups.kinds_about.${each}`)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <LicenseField chosen={license} choose={setLicense} error={errors.license_id?.[0]} />
        {create.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={create.isPending}>
            {t('groups.create')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
