import { useState } from 'react'
import { ProductPicker } from '../products/picker.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Import } from './queries.ts'

/** The product of all lines of a file that name none: the field by which it is found, and its title where it is known. */
export type FileProduct = { ref: string; title: string }

export function productIn({ defaults }: Import): FileProduct {
  const ref = defaults.find(({ field }) => field === 'product')?.value ?? ''
  return { ref, title: ref }
}

/** What the API is told, or nothing if nothing differs. */
export function productDefaults(file: Import, { ref }: FileProduct) {
  if (productIn(file).ref === ref) return {}
  const others = file.defaults.filter(({ field }) => field !== 'product')
  return { defaults: ref === '' ? others : [...others, { field: 'product', value: ref }] }
}

type ProductCardProps = { product: FileProduct; choose: (product: FileProduct) => void }

/** What codes give whose lines do not say it: a list of codes alone needs nothing else. */
export function ProductCard({ product, choose }: ProductCardProps) {
  return (
    <Card title={t('imports.codes.product')}>
      <div className="card-body stack">
        <p>{t('imports.codes.product_text')}</p>
        {product.ref === '' ? (
          <ProductPicker
            label={t('imports.codes.product')}
            choose={({ product_id, title }) => choose({ ref: product_id, title })}
          />
        ) : (
          <div className="with-end">
            <span className="grow strong">{product.title}</span>
            <Button look="plain" onClick={() => choose({ ref: '', title: '' })}>
              {t('codes.other_product')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

/** As much as a file may have: what is longer would be cut without a word. */
const PASTED_MAX = 20_000_000
const HEADINGS = ['code', 'product', 'license', 'uses', 'expires_at', 'note']

/** Lines that were pasted as a file. Without headings, the values stand in the order that the screen names. */
export function fileOf(text: string): File {
  const [first = ''] = text.trimStart().split('\n', 1)
  const separator = [',', ';', '\t'].reduce((best, each) =>
    first.split(each).length > first.split(best).length ? each : best,
  )
  const cells = first.split(separator).map((cell) => cell.trim().replaceAll('"', '').toLowerCase())
  const headings = cells.includes('code') ? '' : `${HEADINGS.slice(0, Math.max(cells.length, 2)).join(separator)}\n`
  return new File([headings, text.trimStart()], t('imports.codes.file'), { type: 'text/csv' })
}

/** Codes from the clipboard instead of a file. */
export function PasteCodes({ send, isSending }: { send: (file: File) => void; isSending: boolean }) {
  const [text, setText] = useState('')
  return (
    <form
      className="card-body stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') send(fileOf(text))
      }}
    >
      <TextArea
        label={t('imports.codes.paste')}
        hint={t('imports.codes.paste_hint')}
        value={text}
        onValue={setText}
        maxLength={PASTED_MAX}
      />
      <div className="actions">
        <Button type="submit" disabled={isSending || text.trim() === ''}>
          {t('imports.codes.take')}
        </Button>
      </div>
    </form>
  )
}
