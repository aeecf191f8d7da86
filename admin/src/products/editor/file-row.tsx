import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/page.tsx'
import { bytes, languageName, percent, playingTime } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { ContentFile } from '../queries.ts'
import { begunUpload, isSameFile } from '../uploads.ts'
import { ChangeFile, RemoveFile, useFileChange } from './file-actions.tsx'

type Row = {
  file: ContentFile
  /** For how many buyers no copy could be made, and why. */
  failure: { count: number; reason: string } | undefined
  /** The type of the product, which decides what its files can be. */
  type: number
  /** Goes on with an upload that was interrupted. */
  resume: (chosen: File) => void
}

/** A file that is stored, with what was read from its bytes, or one whose upload was interrupted. */
export function FileRow({ file, failure, type, resume }: Row) {
  const [doing, setDoing] = useState<'change' | 'remove'>()
  const stop = () => setDoing(undefined)
  return (
    <li className="wraps">
      <span className="grow">
        <span className="strong">{file.name}</span>
        <br />
        <span className="muted small">{detailsOf(file).join(', ')}</span>
        {file.fault !== null && <span className="hint wrong block">{t(`files.faults.${file.fault.reason}`)}</span>}
        {failure !== undefined && <span className="hint wrong block">{t('files.copy_failed', failure)}</span>}
        {file.packing !== null && file.status === 'ready' && <PackingLine file={file} packing={file.packing} />}
        {file.status === 'refused' && <span className="hint wrong block">{file.refusal}</span>}
        {file.status === 'uploading' && <Interrupted file={file} resume={resume} />}
      </span>
      <State file={file} isCopied={failure === undefined} />
      <span className="row-actions">
        <Button aria-label={t('files.change_of', { name: file.name })} onClick={() => setDoing('change')}>
          {t('files.change')}
        </Button>
        <Button look="danger" aria-label={t('files.remove_of', { name: file.name })} onClick={() => setDoing('remove')}>
          {t('files.remove')}
        </Button>
      </span>
      {doing === 'change' && <ChangeFile id={file.id} type={type} close={stop} />}
      {doing === 'remove' && <RemoveFile file={file} close={stop} />}
    </li>
  )
}

function State({ file, isCopied }: { file: ContentFile; isCopied: boolean }) {
  if (file.status === 'uploading') return <Chip tone="wait">{t('files.states.uploading')}</Chip>
  if (file.status === 'refused') return <Chip tone="bad">{t('files.states.refused')}</Chip>
  if (file.fault !== null) return <Chip tone="bad">{t('files.states.faulty')}</Chip>
  if (!isCopied) return <Chip tone="bad">{t('files.states.copies')}</Chip>
  if (file.packing?.status === 'pending') return <Chip tone="wait">{t('files.states.packing')}</Chip>
  if (file.packing?.fault?.reason === 'too_complex') return <Chip tone="bad">{t('files.states.unprepared')}</Chip>
  if (file.packing?.status === 'failed') return <Chip tone="bad">{t('files.states.plain')}</Chip>
  return <Chip tone="ok">{t('files.states.ready')}</Chip>
}

type Packing = { file: ContentFile; packing: NonNullable<ContentFile['packing']> }

/** How far a film is prepared for protected playback, or why it cannot be. */
function PackingLine({ file, packing: { status, progress, fault } }: Packing) {
  const again = useFileChange(file, () => api.files.update(file.id, {}))
  if (status === 'ready') return <span className="hint block">{t('files.packing.ready')}</span>
  if (fault !== null)
    return (
      <span className="block">
        <span className="hint wrong block">
          {t(`files.packing_faults.${fault.reason}`)}
          {fault.codec !== null && ` ${t('files.packing.codec', { codec: fault.codec })}.`}{' '}
          {t(fault.reason === 'too_complex' ? 'files.packing.undecided' : 'files.packing.failed')}
        </span>
        <Button disabled={again.isPending} onClick={() => again.mutate(undefined)}>
          {t('files.packing.again')}
        </Button>
      </span>
    )
  return (
    <span className="block">
      <progress className="progress" value={progress} max={100} aria-label={file.name} />
      <span className="hint block">{t('files.packing.pending', { share: percent(progress / 100) })}</span>
    </span>
  )
}

function detailsOf(file: ContentFile): string[] {
  const { width, height, duration, pages, chapters } = file
  return [
    t(`files.roles.${file.role}` as 'files.roles.extra'),
    file.content_type ?? '',
    languageName(file.language),
    duration === null ? '' : playingTime(duration),
    width === null || height === null ? '' : t('files.resolution', { width: String(width), height: String(height) }),
    pages === null ? '' : t('files.pages', { count: pages }),
    chapters === null ? '' : t('files.chapters', { count: chapters }),
    file.size === null ? '' : bytes(file.size),
  ].filter(Boolean)
}

/** How far an upload came, and the way to go on. Only the browser that began it knows which file it was. */
function Interrupted({ file, resume }: Pick<Row, 'file' | 'resume'>) {
  const begun = begunUpload(file.id)
  const [other, setOther] = useState<string>()
  if (begun === undefined) return <span className="hint block">{t('files.elsewhere')}</span>
  const share = begun.size === 0 ? 0 : begun.sent / begun.size
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    if (!isSameFile(chosen, begun)) return setOther(chosen.name)
    setOther(undefined)
    resume(chosen)
  }
  return (
    <span className="block">
      <progress className="progress" value={share} max={1} aria-label={file.name} />
      <span className="hint block">{t('files.interrupted', { share: percent(share) })}</span>
      <span className="block with-gap">
        <label className="button">
          {t('files.choose_again')}
          <input
            className="hidden"
            type="file"
            onChange={(event) => {
              choose(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </label>
      </span>
      {other !== undefined && (
        <span className="hint wrong block" role="alert">
          {t('files.another_file', { chosen: other, size: bytes(begun.size) })}
        </span>
      )}
    </span>
  )
}
