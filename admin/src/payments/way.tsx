import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icons.tsx'
import { Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'

type WayProps = {
  icon: IconName
  title: string
  text: string
  isOn: boolean
  isTest?: boolean
  /** Turns it on and off; absent: it has to be set up first. */
  onSwitch?: ((isOn: boolean) => void) | undefined
  isBusy?: boolean
  children?: ReactNode
}

/** One way to pay: what it is, whether customers see it, and what can be set. */
export function Way({ icon, title, text, isOn, isTest = false, onSwitch, isBusy = false, children }: WayProps) {
  return (
    <section className="card" aria-label={title}>
      <div className="way">
        <span className="way-icon">
          <Icon name={icon} size={18} />
        </span>
        <div className="grow">
          <div className="way-title">
            <h2>{title}</h2>
            <Chip tone={isOn ? 'ok' : 'draft'}>{t(isOn ? 'payments.on' : 'payments.off')}</Chip>
            {isTest && <Chip tone="test">{t('payments.test')}</Chip>}
          </div>
          <p className="muted">{text}</p>
        </div>
        {onSwitch !== undefined && (
          <button
            type="button"
            role="switch"
            className="switch"
            aria-checked={isOn}
            aria-label={title}
            disabled={isBusy}
            onClick={() => onSwitch(!isOn)}
          />
        )}
      </div>
      {children}
    </section>
  )
}
