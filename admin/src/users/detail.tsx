import './users.css'
import { LicetError } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { PermissionFields } from './fields.tsx'
import { PERMISSIONS } from './presets.ts'
import {
  type Permissions,
  type User,
  type UserChange,
  useInviteAgain,
  userQuery,
  useSaveUser,
  useSetState,
} from './queries.ts'
import { nameOf, stateOf } from './words.ts'

const route = getRouteApi('/settings/people/$token')
const TRAIL = () => ({ to: '/settings/people', title: t('settings.parts.people') })

/** Somebody who works in the company. */
export function PersonDetail() {
  const { token } = route.useParams()
  const read = useQuery(userQuery(token))
  if (read.data !== undefined) return <Editor key={token} read={read.data} />
  return (
    <Page title={t('settings.parts.people')} trail={TRAIL()}>
      {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
    </Page>
  )
}

type Draft = { first_name: string; last_name: string; permissions: Permissions }

const draftOf = ({ user: { first_name, last_name, permissions } }: { user: User }): Draft => ({
  first_name,
  last_name,
  permissions,
})

function changesIn(before: Draft, after: Draft): UserChange {
  const changed = PERMISSIONS.filter((name) => before.permissions[name] !== after.permissions[name])
  return {
    ...(before.first_name === after.first_name ? {} : { first_name: after.first_name }),
    ...(before.last_name === after.last_name ? {} : { last_name: after.last_name }),
    ...(changed.length === 0
      ? {}
      : { permissions: Object.fromEntries(changed.map((name) => [name, after.permissions[name]])) }),
  }
}

function Editor({ read }: { read: { user: User; etag: string } }) {
  const { user } = read
  const { user: own } = useSession()
  const save = useSaveUser(user.token)
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save,
    saidOf: () => t('people.saved', { name: nameOf(user) }),
  })
  const { tone, text } = stateOf(user)
  const refusal =
    save.error instanceof LicetError && Object.keys(save.error.errors).length === 0 ? save.error.message : undefined
  return (
    <Page
      title={nameOf(user)}
      trail={TRAIL()}
      chips={<Chip tone={tone}>{text}</Chip>}
      about={t('people.since', { email: user.email, date: dayAndTime(user.created_at) })}
      actions={user.email === own.email ? undefined : <Actions user={user} />}
    >
      <form onSubmit={submit}>
        <Card title={t('people.details')}>
          <div className="card-body stack">
            <div className="names">
              <TextField
                label={t('people.first_name')}
                value={draft.first_name}
                maxLength={100}
                onValue={(first_name) => set({ first_name })}
                error={errorAt('first_name')}
              />
              <TextField
                label={t('people.last_name')}
                value={draft.last_name}
                maxLength={100}
                onValue={(last_name) => set({ last_name })}
                error={errorAt('last_name')}
              />
            </div>
            <PermissionFields
              permissions={draft.permissions}
              set={(permissions) => set({ permissions })}
              error={refusal}
            />
          </div>
        </Card>
        <SaveBar {...bar} />
      </form>
    </Page>
  )
}

/** The way out, and back in. Somebody who has not accepted yet gets another invitation. */
function Actions({ user }: { user: User }) {
  const again = useInviteAgain(user.token)
  const change = useSetState(user.token)
  const [isAsked, ask] = useState(false)
  const name = nameOf(user)
  const failure = again.error ?? (isAsked ? null : change.error)
  return (
    <>
      {failure !== null && (
        <p className="notice bad" role="alert">
          {problemText(failure)}
        </p>
      )}
      {!user.valid ? (
        <Button
          icon="mail"
          disabled={again.isPending}
          onClick={() =>
            again.mutate(undefined, { onSuccess: () => toast(t('people.invited', { email: user.email })) })
          }
        >
          {t('people.send_again')}
        </Button>
      ) : user.state === 'enabled' ? (
        <Button look="danger" onClick={() => ask(true)}>
          {t('people.disable')}
        </Button>
      ) : (
        <Button disabled={change.isPending} onClick={() => change.mutate('enabled')}>
          {t('people.enable')}
        </Button>
      )}
      {isAsked && (
        <Confirm
          title={t('people.disable_title', { name })}
          text={t('people.disable_text')}
          action={t('people.disable')}
          isDanger
          problem={change.isError ? problemText(change.error) : undefined}
          isBusy={change.isPending}
          confirm={() => change.mutate('disabled', { onSuccess: () => ask(false) })}
          close={() => ask(false)}
        />
      )}
    </>
  )
}
