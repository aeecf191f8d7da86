import { useEffect, useRef } from 'react'
import { MOD } from '../shell/keyboard.ts'
import { Button } from '../ui/button.tsx'
import { t } from '../words/words.ts'

const KEYS = [
  { name: 'find', keys: [MOD, 'K'] },
  { name: 'search', keys: ['/'] },
  { name: 'save', keys: [MOD, 'S'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'keys', keys: ['?'] },
] as const

/** Lists the keys that do something. */
export default function Keys({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-label={t('keys.title')} onClose={close}>
      <h2>{t('keys.title')}</h2>
      <dl className="facts">
        {KEYS.map(({ name, keys }) => (
          <div key={name}>
            <dt>{t(`keys.${name}`)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button onClick={close}>{t('common.close')}</Button>
      </div>
    </dialog>
  )
}
