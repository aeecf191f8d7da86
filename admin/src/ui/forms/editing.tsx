import { ChangedError } from '@licet/client'
import type { UseMutationResult } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
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
  /** What of the address chooses the thing that is edited. Other parts of a screen share one draft. */
  choosing?: readonly string[]
}

/** Asks before a link, the search or the browser's way back drops what is not saved. */
function useQuestion(isUnsaved: boolean, choosing: readonly string[]) {
  return useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (current.pathname !== next.pathname) return true
      const [here, there] = [Object(current.search), Object(next.search)]
      return choosing.some((name) => here[name] !== there[name])
    },
    disabled: !isUnsaved,
    withResolver: true,
    // Closing the window is asked about below, in the browser's own words.
    enableBeforeUnload: false,
  })
}

/** Edits something that others may edit at the same time: nobody overwrites what they have not seen. */
export function useEditing<Read extends { etag: string }, Draft extends object, Changes extends object>({
  read,
  draftOf,
  changesIn,
  save,
  saidOf,
  choosing = [],
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
  const question = useQuestion(isUnsaved && (saved === undefined || draft !== saved), choosing)
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
      question,
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
  /** Set while somebody is about to leave what is not saved. */
  question: ReturnType<typeof useQuestion>
  /** What saving means, where that is not plain. */
  note?: string
}

/** Says what is not saved yet, why it could not be, and who was faster. It submits the form around it. */
export function SaveBar(props: SaveBarProps) {
  const { isShown, question } = props
  return (
    <>
      {isShown && <Bar {...props} />}
      {question.status === 'blocked' && <Leaving stay={question.reset} leave={question.proceed} />}
    </>
  )
}

/** Its buttons submit nothing: it is inside the form that is left. */
function Leaving({ stay, leave }: { stay: () => void; leave: () => void }) {
  return (
    <Dialog title={t('save.leave_title')} close={stay}>
      <div className="stack">
        <p>{t('save.leave_text')}</p>
        <div className="actions">
          <Button look="primary" onClick={stay}>
            {t('save.stay')}
          </Button>
          <Button look="danger" onClick={leave}>
            {t('save.leave')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Bar({ isBusy, error, overwrite, discard, note }: SaveBarProps) {
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
