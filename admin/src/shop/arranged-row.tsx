import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { t } from '../words/words.ts'

type ArrangedRowProps = {
  name: string
  head: ReactNode
  /** Between editing and removing. */
  beside?: ReactNode
  isOpen: boolean
  toggle: () => void
  remove: () => void
  children: ReactNode
}

/** A part of the home page or of the menu, which opens to be edited. */
export function ArrangedRow({ name, head, beside, isOpen, toggle, remove, children }: ArrangedRowProps) {
  return (
    <div className="section">
      <div className="section-head">
        {head}
        <Button look="plain" aria-expanded={isOpen} onClick={toggle}>
          {t('shop_home.edit')}
        </Button>
        {beside}
        <Button look="plain" icon="close" aria-label={t('shop_home.remove', { name })} onClick={remove} />
      </div>
      {isOpen && children}
    </div>
  )
}
