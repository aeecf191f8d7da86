import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { bytes, percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import { LanguageField, needsLanguage, type Role, RoleField } from './editor/file-fields.tsx'
import { FileRow } from './editor/file-row.tsx'
import { ForEverybody } from './editor/for-everybody.tsx'
import { failuresQuery, filesQuery, type Product } from './queries.ts'
import { partsOf } from './types.ts'
import { type Sending, useSendings, useUpload } from './uploads.ts'

/** The files that buyers get, and those that show what they would get. */
export function Files({ product, isTrialOn }: { product: Product; isTrialOn: boolean }) {
  const files = useQuery(filesQuery(product.product_id))
  const failures = useQuery(failuresQuery(product.product_id)).data
  const sendings = useSendings(product.product_id)
  const upload = useUpload(product.product_id)
  const { isHd } = partsOf(product.product_type)
  const [role, setRole] = useState<Role>(isHd ? 'main_hd' : 'main_sd')
  const [isOver, setIsOver] = useState(false)
  const [language, setLanguage] = useState('')
  const lacksLanguage = needsLanguage(role) && language === ''
  // A file whose bytes this page is sending has its own row.
  const rows = files.data?.filter(({ id }) => !sendings.some(({ fileId }) => fileId === id)) ?? []
  return (
    <Card title={t('files.title')} aside={t('files.about')}>
      {files.isError && <Problem error={files.error} retry={() => void files.refetch()} />}
      <ul className="rows">
        {rows.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            failure={failures?.get(file.id)}
            type={product.product_type}
            resume={(chosen) => upload([chosen], file)}
          />
        ))}
        {sendings.map((sending) => (
          <SendingRow key={sending.key} sending={sending} />
        ))}
      </ul>
      {files.data !== undefined && (
        <ForEverybody type={product.product_type} files={files.data} isTrialOn={isTrialOn} upload={upload} />
      )}
      <div className="card-body stack">
        <div className="pair">
          <RoleField label={t('files.role')} type={product.product_type} value={role} onValue={setRole} />
          <LanguageField role={role} value={language} onValue={setLanguage} />
        </div>
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
            if (!lacksLanguage) upload(event.dataTransfer.files, { role, language })
          }}
        >
          <label className="button">
            {t('files.choose')}
            <input
              className="hidden"
              type="file"
              multiple
              disabled={lacksLanguage}
              onChange={(event) => {
                upload(event.target.files ?? [], { role, language })
                event.target.value = ''
              }}
            />
          </label>
          <span>{t(lacksLanguage ? 'files.language_first' : 'files.drop')}</span>
        </div>
      </div>
    </Card>
  )
}

/** How long something takes, in the unit that fits. */
function durationText(seconds: number): string {
  if (seconds < 60) return t('files.seconds_left', { count: Math.max(1, Math.round(seconds)) })
  if (seconds < 5400) return t('files.minutes_left', { count: Math.round(seconds / 60) })
  return t('files.hours_left', { count: Math.round(seconds / 3600) })
}

function saidOf({ size, sent, speed, state, problem }: Sending): string {
  if (state === 'waiting') return t('files.waiting')
  if (state === 'paused') return t('files.paused')
  if (state === 'failed') return problem ?? t('files.lost', { missing: bytes(size - sent) })
  const amounts = t('files.sent', { sent: bytes(sent), size: bytes(size) })
  if (speed === undefined || speed <= 0) return amounts
  return [amounts, t('files.speed', { speed: bytes(speed) }), durationText((size - sent) / speed)].join(', ')
}

function SendingRow({ sending }: { sending: Sending }) {
  const { name, size, sent, state, stop, pause, resume } = sending
  const share = size === 0 ? 1 : sent / size
  const isHeld = state === 'paused' || state === 'failed'
  return (
    <li>
      <span className="grow">
        <span className="strong">{name}</span>
        <progress className="progress" value={share} max={1} aria-label={name} />
        <span className={state === 'failed' ? 'hint wrong' : 'muted small'}>
          {percent(share)}, {saidOf(sending)}
        </span>
      </span>
      {isHeld
        ? resume !== undefined && (
            <Button icon="play" onClick={resume}>
              {t('files.resume')}
            </Button>
          )
        : pause !== undefined && (
            <Button icon="pause" onClick={pause}>
              {t('files.pause')}
            </Button>
          )}
      <Button look="plain" onClick={stop}>
        {t('files.stop')}
      </Button>
    </li>
  )
}
