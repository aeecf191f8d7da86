import './imports.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Chip, Page, type Tone } from '../ui/page.tsx'
import { bytes, percent, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { PasteCodes } from './codes.tsx'
import { FileRefused, type Import, importsQuery, isUnderWay, setKind, uploadFile, useDeleteImport } from './queries.ts'
import { isAudience, LISTS } from './search.ts'
import { Steps } from './steps.tsx'

const route = getRouteApi('/imports')

/** The first step: a file is chosen. Nothing is written before the last one. */
export function NewImport() {
  const { kind } = route.useSearch()
  const navigate = useNavigate()
  const [isOver, setIsOver] = useState(false)
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const send = async (file: File | undefined) => {
    if (file === undefined) return
    setProblem(undefined)
    setShare(0)
    try {
      const taken = await uploadFile(file, setShare)
      if (kind !== undefined && kind !== taken.kind && (taken.kind === null || isAudience(kind)))
        await setKind(taken.id, kind)
      await navigate({ to: '/imports/$id', params: { id: String(taken.id) }, search: { step: 'columns' } })
    } catch (error) {
      setProblem(error instanceof FileRefused && error.message !== '' ? error.message : t('problem.offline'))
      setShare(undefined)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void send(event.dataTransfer.files[0])
  }
  const isSending = share !== undefined
  return (
    <Page
      title={kind === undefined ? t('imports.title') : t(`imports.of.${kind}`)}
      about={t('imports.about')}
      {...(kind === undefined ? {} : { trail: { to: LISTS[kind], title: t(`imports.kinds.${kind}`) } })}
    >
      <Steps current="file" mayGoBack={false} />
      <div className="columns">
        <div className="stack">
          <Card label={t('imports.steps.file')}>
            <div className="card-body import-file">
              {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard */}
              <div
                className={isOver ? 'drop over' : 'drop'}
                onDragOver={(event) => {
                  event.preventDefault()
                  setIsOver(true)
                }}
                onDragLeave={() => setIsOver(false)}
                onDrop={drop}
              >
                <Icon name="file" size={32} />
                <span>{t('imports.drop')}</span>
                <label className={isSending ? 'button' : 'button primary'}>
                  {t('imports.choose')}
                  <input
                    className="hidden"
                    type="file"
                    accept=".csv,.tsv,.txt,text/csv"
                    disabled={isSending}
                    onChange={({ target }) => {
                      void send(target.files?.[0])
                      target.value = ''
                    }}
                  />
                </label>
                <span className="small">{t('imports.limits')}</span>
              </div>
              {isSending && (
                <div>
                  <progress className="progress" value={share} max={1} aria-label={t('imports.sending')} />
                  <p className="muted small">{t('imports.sent', { share: percent(share) })}</p>
                </div>
              )}
              {problem !== undefined && (
                <p className="notice bad" role="alert">
                  {problem}
                </p>
              )}
            </div>
          </Card>
          {kind === 'redemption_codes' && (
            <Card title={t('imports.codes.paste_title')}>
              <PasteCodes send={(file) => void send(file)} isSending={isSending} />
            </Card>
          )}
          <Recent />
        </div>
        <Card title={t('imports.how.title')}>
          <ul className="card-body import-how">
            <li>{t(kind === 'redemption_codes' ? 'imports.how.codes' : 'imports.how.shops')}</li>
            <li>{t(kind === 'redemption_codes' ? 'imports.how.codes_once' : 'imports.how.again')}</li>
            <li>{t('imports.how.whole')}</li>
            <li>{t(kind === 'news_recipients' ? 'imports.how.consent' : 'imports.how.mails')}</li>
          </ul>
        </Card>
      </div>
    </Page>
  )
}

const TONES: Record<Import['state'], Tone> = {
  draft: 'draft',
  checking: 'wait',
  checked: 'wait',
  importing: 'wait',
  imported: 'ok',
  failed: 'bad',
  undoing: 'wait',
  undone: 'draft',
}

function Recent() {
  const files = useQuery(importsQuery).data?.rows ?? []
  const remove = useDeleteImport()
  if (files.length === 0) return null
  return (
    <Card title={t('imports.recent')} aside={t('imports.kept')}>
      <ul className="rows">
        {files.map((file) => (
          <li key={file.id}>
            <span className="grow">
              <Link className="strong" to="/imports/$id" params={{ id: String(file.id) }} search={{}}>
                {file.file_name}
              </Link>
              <br />
              <span className="muted small">
                {bytes(file.size)} · {shortTime(file.created_at)}
              </span>
            </span>
            <Chip tone={TONES[file.state]}>{t(`imports.states.${file.state}`)}</Chip>
            <Button
              look="plain"
              icon="close"
              aria-label={t('imports.delete', { file: file.file_name })}
              disabled={isUnderWay(file) || remove.isPending}
              onClick={() => remove.mutate(file.id)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
