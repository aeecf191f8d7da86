import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import type { Branch } from '../ui/forms/tree-places.ts'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type ListedCategory, useCreateCategory } from './queries.ts'

/** A new category, below another one or at the top. It is the last there. */
export function NewCategory({ rows, close }: { rows: readonly Branch<ListedCategory>[]; close: () => void }) {
  const create = useCreateCategory()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [parent, setParent] = useState('0')
  const errors = errorsOf(create.error)
  const isAtField = errors.title !== undefined || errors.parent_id !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const siblings = rows.filter(({ item }) => String(item.parent_id) === parent)
    const position = Math.max(-1, ...siblings.map(({ item }) => item.position)) + 1
    create.mutate(
      { title: title.trim(), parent_id: Number(parent), position },
      {
        onSuccess: ({ id }) => {
          toast(t('categories.created', { title: title.trim() }))
          void navigate({ to: '/categories/$id', params: { id: String(id) } })
        },
      },
    )
  }
  return (
    <Dialog title={t('categories.new')} close={close}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('categories.title')}
          value={title}
          onValue={setTitle}
          error={errors.title?.[0]}
          hint={t('categories.title_hint')}
        />
        <SelectField
          label={t('categories.parent')}
          value={parent}
          onValue={setParent}
          error={errors.parent_id?.[0]}
          options={[
            { value: '0', title: t('categories.top') },
            ...rows.map(({ item, depth }) => ({
              value: String(item.id),
              title: `${'\u2003'.repeat(depth)}${item.title}`,
            })),
          ]}
        />
        {create.isError && !isAtField && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={create.isPending}>
            {t('categories.create')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
