import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { bytes, percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type ContentFile, filesQuery, type Product } from './queries.ts'
import { partsOf } from './types.ts'
import { type Sending, useSendings, useUpload } from './uploads.ts'

const ROLES = ['main_hd', 'main_sd', 'trailer', 'preview', 'extra', 'subtitles'] as const
type Role = (typeof ROLES)[number]

/** The files that buyers get, and those that show what they would get. */
export function Files({ product }: { product: Product }) {
  const files = useQuery(filesQuery(product.product_id))
  const sendings = useSendings(product.product_id)
  const upload = useUpload(product.product_id)
  const { hasVersions, isHd } = partsOf(product.product_type)
  const [role, setRole] = useState<Role>(isHd ? 'main_hd' : 'main_sd')
  const [isOver, setIsOver] = useState(false)
  const roles = hasVersions ? ROLES : ROLES.filter((each) => each !== 'main_hd')
  // A file whose bytes this page is sending has its own row.
  const rows = files.data?.filter(({ id }) => !sendings.some(({ fileId }) => fileId === id)) ?? []
  return (
    <Card title={t('files.title')}>
      {files.isError && <Problem error={files.error} retry={() => void files.refetch()} />}
      <ul className="rows">
        {rows.map((file) => (
          <FileRow key={file.id} file={file} renew={() => void files.refetch()} />
        ))}
        {sendings.map((sending) => (
          <SendingRow key={sending.key} sending={sending} />
        ))}
      </ul>
      <div className="card-body stack">
        <label className="field">
          <span className="strong">{t('files.role')}</span>
          <select className="input" value={role} onChange={(event) => setRole(event.target.value as Role)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {t(`files.roles.${each}`)}
              </option>
            ))}
          </select>
        </label>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard */}
        <div
          className={isOver ? 'drop over' : 'drop'}
          onDragOver={(event) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setIsOver(false)
            upload(event.dataTransfer.files, role)
          }}
        >
          <label className="button">
            {t('files.choose')}
            <input
              className="hidden"
              type="file"
              multiple
              onChange={(event) => {
                upload(event.target.files ?? [], role)
                event.target.value = ''
              }}
            />
          </label>
          <span>{t('files.drop')}</span>
        </div>
      </div>
    </Card>
  )
}

function FileRow({ file, renew }: { file: ContentFile; renew: () => void }) {
  const details = [t(`files.roles.${file.role}` as 'files.roles.extra'), file.size === null ? '' : bytes(file.size)]
  return (
    <li>
      <span className="grow">
        <span className="strong">{file.name}</span>
        <br />
        <span className="muted small">{details.filter(Boolean).join(', ')}</span>
      </span>
      {file.status === 'ready' && <Chip tone="ok">{t('files.states.ready')}</Chip>}
      {file.status === 'uploading' && <Chip tone="wait">{t('files.states.uploading')}</Chip>}
      {file.status === 'refused' && <Chip tone="bad">{file.refusal ?? t('files.states.refused')}</Chip>}
      <Button look="danger" onClick={() => void api.files.delete(file.id).finally(renew)}>
        {t('files.remove')}
      </Button>
    </li>
  )
}

function SendingRow({ sending }: { sending: Sending }) {
  const { name, size, sent, state, problem, stop, startedAt } = sending
  const share = size === 0 ? 1 : sent / size
  const perSecond = sent / Math.max(1, (Date.now() - startedAt) / 1000)
  const said = {
    sending: t('files.sending', { sent: bytes(sent), size: bytes(size), speed: bytes(perSecond) }),
    waiting: t('files.waiting'),
    failed: problem ?? t('files.states.refused'),
  }
  return (
    <li>
      <span className="grow">
        <span className="strong">{name}</span>
        <progress className="progress" value={share} max={1} aria-label={name} />
        <span className={state === 'failed' ? 'hint wrong' : 'muted small'}>
          {percent(share)}, {said[state]}
        </span>
      </span>
      <Button look="plain" onClick={stop}>
        {state === 'failed' ? t('common.close') : t('files.stop')}
      </Button>
    </li>
  )
}
