import './products.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Page } from '../ui/page.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { useCreateProduct } from './queries.ts'
import { COMMON, iconOf, OTHERS } from './types.ts'

type Makeable = (typeof COMMON)[number] | (typeof OTHERS)[number]

/** The type cannot be changed later, so it is asked for first, in words. */
export function NewProduct() {
  const [type, setType] = useState<Makeable>(9)
  const [title, setTitle] = useState('')
  const create = useCreateProduct()
  const navigate = useNavigate()
  const errors = errorsOf(create.error)
  return (
    <Page title={t('products.new')} trail={{ to: '/products', title: t('menu.products') }}>
      <Card label={t('products.new')}>
        <form
          className="card-body stack new-product"
          onSubmit={(event) => {
            event.preventDefault()
            const language_id = document.documentElement.lang
            create.mutate(
              { product_type: type, title, published: false, locales: [{ language_id, title }] },
              { onSuccess: ({ id }) => void navigate({ to: '/products/$id', params: { id: String(id) } }) },
            )
          }}
        >
          <TextField
            label={t('products.title')}
            value={title}
            onValue={setTitle}
            error={errors.title?.[0] ?? errors['locales[0].title']?.[0]}
          />
          <fieldset>
            <legend className="strong">{t('products.what')}</legend>
            <Choices types={COMMON} chosen={type} choose={setType} />
            <details>
              <summary className="muted">{t('products.more_kinds')}</summary>
              <Choices types={OTHERS} chosen={type} choose={setType} />
            </details>
          </fieldset>
          {create.isError && (
            <p className="notice bad" role="alert">
              {problemText(create.error)}
            </p>
          )}
          <div className="actions">
            <Button type="submit" look="primary" disabled={create.isPending}>
              {t('products.create')}
            </Button>
            <ButtonLink look="plain" to="/products" search={{}}>
              {t('common.back')}
            </ButtonLink>
          </div>
        </form>
      </Card>
    </Page>
  )
}

type ChoicesProps = { types: readonly Makeable[]; chosen: Makeable; choose: (type: Makeable) => void }

function Choices({ types, chosen, choose }: ChoicesProps) {
  return (
    <div className="choices">
      {types.map((each) => (
        <label key={each} className="choice">
          <input type="radio" name="type" checked={chosen === each} onChange={() => choose(each)} />
          <span className="strong choice-name">
            <Icon name={iconOf(each)} />
            {t(`products.types.${each}`)}
          </span>
          <span className="muted small">{t(`products.kinds.${each}`)}</span>
        </label>
      ))}
    </div>
  )
}
