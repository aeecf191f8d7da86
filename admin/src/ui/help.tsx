import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { t } from '../words/words.ts'

/** The words that are hard to guess. The help page says them all. */
export const TERMS = [
  'license',
  'price',
  'offer',
  'tax_class',
  'scope',
  'webhook',
  'redemption_code',
  'software_key',
  'mirrored_product',
  'group',
  'plan',
] as const

export type Term = (typeof TERMS)[number]

/** A question mark beside a hard word: a press says it in a sentence, and leads to more. Escape, or leaving it, closes it. */
export function Help({ term }: { term: Term }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const name = t(`help.names.${term}`)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what happens in the button and in the link.
    <span
      className="help"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        setIsOpen(false)
        button.current?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className="help-mark"
        aria-label={t('help.what_is', { name })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        ?
      </button>
      <span id={id} className="help-text" role="note" hidden={!isOpen}>
        {t(`help.texts.${term}`)} <Link to="/help">{t('help.more')}</Link>
      </span>
    </span>
  )
}
