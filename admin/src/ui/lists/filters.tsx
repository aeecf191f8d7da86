import { type ReactNode, useEffect, useRef } from 'react'
import { dayText } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { Icon } from '../icons.tsx'

/** A filter that is set: what it is about, and what fits. */
export type FilterChip = { key: string; title: string; value: string; remove: () => void }

/** The filters of a list that are set, each with a way to remove it, and the fields that set them. */
export function Filters({ chips, children }: { chips: readonly FilterChip[]; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      const isOutside = event.type === 'pointerdown' && !menu.current?.contains(event.target as Node)
      if (menu.current !== null && (isEscape || isOutside)) menu.current.open = false
    }
    addEventListener('keydown', close)
    addEventListener('pointerdown', close)
    return () => {
      removeEventListener('keydown', close)
      removeEventListener('pointerdown', close)
    }
  }, [])
  return (
    <>
      {chips.map(({ key, title, value, remove }) => (
        <span key={key} className="filter-chip">
          <span className="cut">
            {title}: <b>{value}</b>
          </span>
          <button type="button" aria-label={t('list.remove_filter', { filter: title })} onClick={remove}>
            <Icon name="close" size={14} />
          </button>
        </span>
      ))}
      <details ref={menu} className="filter-menu">
        <summary className="button">{t('list.filter')}</summary>
        <div className="filter-fields">{children}</div>
      </details>
    </>
  )
}

/** From one day to another, in words. */
export function daysInWords(from: string | undefined, to: string | undefined): string {
  const day = (wire: string) => dayText(`${wire}T00:00:00`, { day: 'numeric', month: 'short', year: 'numeric' })
  if (from === undefined) return to === undefined ? '' : t('list.until', { day: day(to) })
  return to === undefined ? t('list.from', { day: day(from) }) : t('list.between', { from: day(from), to: day(to) })
}
