import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Refusal } from '../../ui/forms/changed.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { errorsOf, Problem, problemText } from '../../ui/problem.tsx'
import { toast } from '../../ui/toasts.tsx'
import { matching, withEtag } from '../../with-etag.ts'
import { t } from '../../words/words.ts'
import type { ContentFile } from '../queries.ts'
import { isRole, LanguageField, needsLanguage, RoleField } from './file-fields.tsx'

/** After a change of a file, its product may be complete, or no longer. */
export function useFileChange<Input>(file: ContentFile, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    // What was typed stays until its writer has decided.
    meta: { keepsWhatIsShown: true },
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: ['products'] })
      await client.invalidateQueries({ queryKey: ['files', file.product_id] })
    },
  })
}

/** Asks before a file is gone, because its bytes cannot be brought back. */
export function RemoveFile({ file, close }: { file: ContentFile; close: () => void }) {
  const remove = useFileChange(file, () => api.files.delete(file.id))
  return (
    <Confirm
      title={t('files.remove_title', { name: file.name })}
      text={file.status === 'ready' ? t('files.remove_text') : t('files.remove_unfinished')}
      action={t('files.remove')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            close()
            toast(t('files.removed', { name: file.name }))
          },
        })
      }
      close={close}
    />
  )
}

type ChangeFileProps = { id: number; type: number; close: () => void }

/** Changes what is said about a file. It is read first, so that nobody overwrites what somebody else has said. */
export function ChangeFile({ id, type, close }: ChangeFileProps) {
  const read = useQuery({
    queryKey: ['file', id],
    queryFn: ({ signal }) => withEtag('file', (onHeaders) => api.files.get(id, {}, { signal, onHeaders })),
    gcTime: 0,
  })
  return (
    <Dialog title={t('files.change_title')} close={close}>
      {read.isError && <Problem error={read.error} retry={() => void read.refetch()} />}
      {read.data === undefined ? (
        !read.isError && <span className="skeleton" />
      ) : (
        <FileForm
          key={read.data.etag}
          read={read.data}
          type={type}
          close={close}
          showTheirs={() => void read.refetch()}
        />
      )}
    </Dialog>
  )
}

type FileFormProps = {
  read: { file: ContentFile; etag: string }
  type: number
  close: () => void
  showTheirs: () => void
}

function FileForm({ read: { file, etag }, type, close, showTheirs }: FileFormProps) {
  const [name, setName] = useState(file.name)
  const [role, setRole] = useState(isRole(file.role) ? file.role : 'extra')
  const [language, setLanguage] = useState(file.language)
  const change = useFileChange(file, (version: string | undefined) =>
    api.files.update(file.id, { name: name.trim(), role, language }, matching(version)),
  )
  const save = (version?: string) =>
    change.mutate(version, {
      onSuccess: () => {
        close()
        toast(t('files.changed', { name: name.trim() }))
      },
    })
  const errors = errorsOf(change.error)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save(etag)
      }}
    >
      <TextField label={t('files.name')} value={name} onValue={setName} error={errors.name?.[0]} />
      <RoleField label={t('files.is')} type={type} value={role} onValue={setRole} />
      <LanguageField role={role} value={language} onValue={setLanguage} error={errors.language?.[0]} />
      {role !== file.role && file.status === 'ready' && <p className="hint">{t('files.role_changes')}</p>}
      {change.isError && <Refusal error={change.error} showTheirs={showTheirs} saveMine={() => save()} />}
      <div className="actions">
        <Button
          type="submit"
          look="primary"
          disabled={change.isPending || name.trim() === '' || (needsLanguage(role) && language === '')}
        >
          {t('save.save')}
        </Button>
        <Button look="plain" onClick={close}>
          {t('common.back')}
        </Button>
      </div>
    </form>
  )
}
