import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { PermissionFields } from './fields.tsx'
import { permissionsOf } from './presets.ts'
import { useInvite } from './queries.ts'

/** Invites somebody by email. */
export function Invite({ close }: { close: () => void }) {
  const invite = useInvite()
  const [draft, setDraft] = useState({
    email: '',
    first_name: '',
    last_name: '',
    permissions: permissionsOf('editor'),
  })
  const errors = errorsOf(invite.error)
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  return (
    <Dialog title={t('people.invite')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate(
            { ...draft, email: draft.email.trim() },
            {
              onSuccess: ({ email }) => {
                toast(t('people.invited', { email }))
                close()
              },
            },
          )
        }}
      >
        <TextField
          type="email"
          label={t('people.email')}
          value={draft.email}
          maxLength={100}
          onValue={(email) => set({ email })}
          error={errors.email?.[0]}
        />
        <TextField
          label={t('people.first_name')}
          value={draft.first_name}
          maxLength={100}
          onValue={(first_name) => set({ first_name })}
          error={errors.first_name?.[0]}
        />
        <TextField
          label={t('people.last_name')}
          value={draft.last_name}
          maxLength={100}
          onValue={(last_name) => set({ last_name })}
          error={errors.last_name?.[0]}
        />
        <PermissionFields permissions={draft.permissions} set={(permissions) => set({ permissions })} />
        {invite.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(invite.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={invite.isPending}>
            {t('people.send')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
