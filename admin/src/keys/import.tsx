import { LicetError } from '@licet/client'
import { useState } from 'react'
import { ProductPicker } from '../products/picker.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { count, list } from '../words/format.ts'
import { t } from '../words/words.ts'
import { KEYS_MAX, linesOf, readKeys } from './lines.ts'
import { useImportKeys } from './queries.ts'

type Program = { product_id: string; title: string }

const SHOWN_MAX = 20
/** Lines as words. Of many, the first ones. */
const inWords = (lines: readonly number[]) =>
  lines.length > SHOWN_MAX ? `${lines.slice(0, SHOWN_MAX).map(String).join(', ')} …` : list(lines.map(String))

/** Adds keys to the list of a program. What is there already is said, line by line. */
export function ImportKeys({ program, close }: { program?: Program; close: () => void }) {
  const [product, setProduct] = useState<Program | undefined>(program)
  const [text, setText] = useState('')
  const send = useImportKeys()
  const read = readKeys(text)
  const problem =
    read.keys.length > KEYS_MAX
      ? t('license_keys.too_many', { max: count(KEYS_MAX) })
      : read.tooLong.length > 0
        ? t('license_keys.too_long', { count: read.tooLong.length, lines: inWords(read.tooLong) })
        : undefined
  if (send.data !== undefined) {
    const known = linesOf(send.data.duplicates, read)
    return (
      <Dialog title={t('license_keys.done', { count: send.data.imported })} close={close}>
        <div className="stack">
          {known.length > 0 && (
            <p className="notice wait">{t('license_keys.known', { count: known.length, lines: inWords(known) })}</p>
          )}
          <p>{t('license_keys.left_said', { count: send.data.left })}</p>
          <div className="actions">
            <Button look="primary" onClick={close}>
              {t('common.close')}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  }
  const title =
    product === undefined ? t('license_keys.import_title') : t('license_keys.import_to', { title: product.title })
  const errors = send.error instanceof LicetError ? Object.values(send.error.errors) : []
  return (
    <Dialog title={title} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (product !== undefined && problem === undefined && read.keys.length > 0)
            send.mutate({ product: product.product_id, keys: read.keys.map(({ key }) => key) })
        }}
      >
        {product === undefined ? (
          <ProductPicker label={t('license_keys.product')} choose={setProduct} />
        ) : (
          program === undefined && (
            <div className="actions">
              <Button look="plain" onClick={() => setProduct(undefined)}>
                {t('license_keys.other_product')}
              </Button>
            </div>
          )
        )}
        <TextArea
          label={t('license_keys.paste')}
          hint={t('license_keys.paste_hint')}
          value={text}
          onValue={setText}
          error={problem ?? errors[0]?.[0]}
        />
        <label className="button file-button">
          {t('license_keys.choose_file')}
          <input
            className="hidden"
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
          />
        </label>
        <p className="muted">{t('license_keys.preview', { count: read.keys.length })}</p>
        {read.repeated.length > 0 && (
          <p className="notice wait">
            {t('license_keys.repeated', { count: read.repeated.length, lines: inWords(read.repeated) })}
          </p>
        )}
        {send.isError && errors.length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(send.error)}
          </p>
        )}
        <div className="actions">
          <Button
            type="submit"
            look="primary"
            disabled={product === undefined || read.keys.length === 0 || problem !== undefined || send.isPending}
          >
            {t('license_keys.run', { count: read.keys.length })}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
