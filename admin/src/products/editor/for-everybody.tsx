import { t } from '../../words/words.ts'
import type { ContentFile } from '../queries.ts'
import { partsOf } from '../types.ts'

/** What shows visitors what they would get. */
type FreeRole = 'trailer' | 'preview' | 'trial'

/** A film has a trailer, a program a trial, and what is heard or read a sample. */
function freeRoleOf(type: number): FreeRole {
  const { medium, hasTrial } = partsOf(type)
  if (hasTrial) return 'trial'
  return medium === 'film' ? 'trailer' : 'preview'
}

type ForEverybodyProps = {
  type: number
  files: readonly ContentFile[]
  /** May everybody download the trial? */
  isTrialOn: boolean
  upload: (files: Iterable<File>, said: { role: FreeRole }) => void
}

/** Says that visitors see nothing of the product yet, and takes the file that would show it to them. */
export function ForEverybody({ type, files, isTrialOn, upload }: ForEverybodyProps) {
  const role = freeRoleOf(type)
  const hasFile = files.some((file) => file.role === role && file.status !== 'refused')
  if (hasFile)
    return role === 'trial' && !isTrialOn ? <p className="hint card-body">{t('files.trial_is_off')}</p> : null
  return (
    <div className="card-body with-end">
      <span className="muted">{t(`files.without.${role}`)}</span>
      <label className="button">
        {t(`files.add.${role}`)}
        <input
          className="hidden"
          type="file"
          onChange={({ target }) => {
            upload(target.files ?? [], { role })
            target.value = ''
          }}
        />
      </label>
    </div>
  )
}
