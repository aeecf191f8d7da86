import '../products/products.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Plans } from '../plans/card.tsx'
import { useMay } from '../session/session.ts'
import { SubscriptionsOfGroup } from '../subscriptions/of.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { changesIn, draftOf } from './draft.ts'
import { LicenseField } from './license-field.tsx'
import { GroupMembers } from './people.tsx'
import { type Group, groupQuery, useDeleteGroup, useSaveGroup } from './queries.ts'
import { Texts } from './texts.tsx'
import { stateOf } from './words.ts'

const route = getRouteApi('/memberships/$id')
const TRAIL = () => ({ to: '/memberships', title: t('menu.memberships') })

type Read = { group: Group; etag: string }

/** A group: how it is sold, who is in it, and what it is. */
export function GroupDetail() {
  const { id } = route.useParams()
  const read = useQuery(groupQuery(id))
  const mayChange = useMay('unlock')
  if (read.data === undefined)
    return (
      <Page title={t('menu.memberships')} trail={TRAIL()}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const { group } = read.data
  const { tone, text } = stateOf(group)
  return (
    <Page
      title={group.title}
      trail={TRAIL()}
      chips={<Chip tone={tone}>{text}</Chip>}
      about={t(`groups.kinds_about.${group.kind}`)}
      actions={mayChange && <Delete group={group} />}
    >
      <div className="columns">
        <div className="stack">
          {group.kind === 'subscription' && (
            <>
              <Plans group={group.id} />
              <SubscriptionsOfGroup group={group.id} />
            </>
          )}
          <GroupMembers group={group} />
          <Products group={group} />
        </div>
        <Editor key={id} read={read.data} isLocked={!mayChange} />
      </div>
    </Page>
  )
}

/** Products say themselves which groups they belong to. */
function Products({ group: { id } }: { group: Group }) {
  return (
    <Card title={t('menu.products')}>
      <div className="card-body stack">
        <p className="muted">{t('groups.products_text')}</p>
        <div className="copied">
          <code className="grow">{id}</code>
          <CopyButton text={id} label={t('groups.copy')} />
        </div>
      </div>
    </Card>
  )
}

function Editor({ read, isLocked }: { read: Read; isLocked: boolean }) {
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save: useSaveGroup(read.group.id),
    saidOf: ({ title }) => t('groups.saved', { title }),
  })
  return (
    <form onSubmit={submit}>
      <fieldset className="stack" disabled={isLocked}>
        <Card title={t('groups.details')}>
          <div className="card-body stack">
            <TextField
              label={t('groups.title')}
              hint={t('groups.title_hint')}
              value={draft.title}
              onValue={(title) => set({ title })}
              error={errorAt('title')}
              maxLength={100}
            />
            <LicenseField chosen={draft.license} choose={(license) => set({ license })} error={errorAt('license_id')} />
            <Check label={t('groups.valid')} isOn={draft.valid} onChange={(valid) => set({ valid })} />
          </div>
        </Card>
        <Card title={t('groups.texts')}>
          <div className="card-body stack">
            <p className="muted">{t('groups.texts_text')}</p>
            <Texts texts={draft.texts} set={(texts) => set({ texts })} errorAt={errorAt} />
          </div>
        </Card>
        <SaveBar {...bar} />
      </fieldset>
    </form>
  )
}

function Delete({ group: { id, title } }: { group: Group }) {
  const remove = useDeleteGroup(id)
  const navigate = useNavigate()
  const [isAsked, ask] = useState(false)
  const removeIt = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(t('groups.deleted', { title }))
        void navigate({ to: '/memberships', search: {} })
      },
    })
  return (
    <>
      <Button look="danger" onClick={() => ask(true)}>
        {t('groups.delete')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('groups.delete_title', { title })}
          text={t('groups.delete_text')}
          action={t('groups.delete')}
          isDanger
          problem={remove.isError ? problemText(remove.error) : undefined}
          isBusy={remove.isPending}
          confirm={removeIt}
          close={() => ask(false)}
        />
      )}
    </>
  )
}
