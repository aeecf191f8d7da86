import { ChangedError } from '@licet/client'
import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import { errorsOf, problemText } from '../problem.tsx'
import { toast } from '../toasts.tsx'

export type Change<Changes> = { changes: Changes; etag?: string }
/** What is wrong with a field, as the service says it. */
export type ErrorAt = (path: string) => string | undefined

type Options<Read extends { etag: string }, Draft, Changes extends object> = {
  /** As it was read last, with the version that a change names. */
  read: Read
  draftOf: (read: Read) => Draft
  /** What differs, as the API takes it. Nothing else is sent, so nothing else is overwritten. */
  changesIn: (before: Draft, after: Draft) => Changes
  save: UseMutationResult<unknown, Error, Change<Changes>>
  /** What is said when it is saved. */
  saidOf: (draft: Draft) => string
}

/** Edits something that others may edit at the same time: nobody overwrites what they have not seen. */
export function useEditing<Read extends { etag: string }, Draft extends object, Changes extends object>({
  read,
  draftOf,
  changesIn,
  save,
  saidOf,
}: Options<Read, Draft, Changes>) {
  const [base, setBase] = useState(read)
  const [draft, setDraft] = useState(() => draftOf(read))
  const [saved, setSaved] = useState<Draft>()
  const changes = changesIn(draftOf(base), draft)
  const isUnsaved = Object.keys(changes).length > 0
  const isChangedElsewhere = save.error instanceof ChangedError
  const store = (etag: string | undefined, wanted = draft) => {
    const changes = changesIn(draftOf(base), wanted)
    save.mutate(etag === undefined ? { changes } : { changes, etag }, {
      onSuccess: () => {
        setSaved(wanted)
        toast(saidOf(wanted))
      },
    })
  }
  // A newer version is taken over if it is the one that was saved, or if nothing was typed; otherwise saving tells of it.
  useEffect(() => {
    if (read.etag === base.etag) return
    if (isUnsaved && saved === undefined) {
      // What changed beside these fields, such as the state of an uploaded file, is nobody's other version of them.
      if (Object.keys(changesIn(draftOf(base), draftOf(read))).length > 0) return
      setBase(read)
      if (isChangedElsewhere) store(read.etag)
      return
    }
    setBase(read)
    // What was typed while it was being saved stays.
    setDraft((now) => (saved === undefined || now === saved ? draftOf(read) : now))
    setSaved(undefined)
  })
  useEffect(() => {
    if (!isUnsaved) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  // Until the other version is read, nobody knows whether it differs here.
  const isComparing = isChangedElsewhere && read.etag === base.etag
  const errors = errorsOf(save.error)
  const errorAt: ErrorAt = (path) => errors[path]?.[0]
  return {
    draft,
    changes,
    set: (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })),
    errorAt,
    /** Changes something more and saves it together with what was typed. */
    saveWith: (part: Partial<Draft>) => {
      const wanted = { ...draft, ...part }
      setDraft(wanted)
      store(base.etag, wanted)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      store(base.etag)
    },
    bar: {
      isShown: isUnsaved || save.isPending,
      isBusy: save.isPending || isComparing,
      error: isComparing ? null : save.error,
      overwrite: () => store(undefined),
      discard: () => {
        setBase(read)
        setDraft(draftOf(read))
        save.reset()
      },
    },
  }
}

type SaveBarProps = {
  isShown: boolean
  isBusy: boolean
  error: Error | null
  overwrite: () => void
  discard: () => void
  /** What saving means, where that is not plain. */
  note?: string
}

/** Says what is not saved yet, why it could not be, and who was faster. It submits the form around it. */
export function SaveBar({ isShown, isBusy, error, overwrite, discard, note }: SaveBarProps) {
  if (!isShown) return null
  if (error instanceof ChangedError)
    return (
      <section className="save-bar" aria-label={t('save.label')}>
        <span className="grow">{t('save.conflict')}</span>
        <Button onClick={discard}>{t('save.theirs')}</Button>
        <Button look="primary" onClick={overwrite}>
          {t('save.mine')}
        </Button>
      </section>
    )
  return (
    <section className="save-bar" aria-label={t('save.label')}>
      <span className={error === null ? 'grow muted' : 'grow wrong'} role={error === null ? undefined : 'alert'}>
        {error === null ? (note ?? t('save.unsaved')) : problemText(error)}
      </span>
      <Button onClick={discard}>{t('save.discard')}</Button>
      <Button type="submit" look="primary" disabled={isBusy}>
        {t('save.save')}
      </Button>
    </section>
  )
}
