import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { type ErrorAt, SaveBar, useEditing } from '../ui/editing.tsx'
import { Check, TextField } from '../ui/fields.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime, languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Details } from './details.tsx'
import { changesIn, type Draft, draftOf, type Text } from './draft.ts'
import { Files } from './files.tsx'
import { Found } from './found.tsx'
import { Gallery } from './gallery.tsx'
import { Offers } from './offers.tsx'
import { type Product, productQuery, useDeleteProduct, useDuplicate, useSaveProduct } from './queries.ts'
import { Shelves } from './shelves.tsx'
import { partsOf } from './types.ts'

const route = getRouteApi('/products/$id')

export function ProductDetail() {
  const { id } = route.useParams()
  const product = useQuery({ ...productQuery(id), refetchOnWindowFocus: false })
  if (product.data !== undefined) return <ProductPage key={id} read={product.data} />
  return (
    <Page title={t('products.columns.product')} trail={{ to: '/products', title: t('menu.products') }}>
      {product.isError ? (
        <Problem error={product.error} retry={() => void product.refetch()} />
      ) : (
        <Card label={t('products.columns.product')}>
          <div className="card-body">
            <span className="skeleton" />
          </div>
        </Card>
      )}
    </Page>
  )
}

type Read = { product: Product; etag: string }

const draftOfRead = ({ product }: Read) => draftOf(product)

function ProductPage({ read }: { read: Read }) {
  const { product } = read
  const [isAsked, setIsAsked] = useState(false)
  const mayChange = useMay('request_products')
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf: draftOfRead,
    changesIn,
    save: useSaveProduct(product.id),
    saidOf: ({ title }) => t('products.saved', { title }),
  })
  const changeText = (place: number, part: Partial<Text>) =>
    set({ texts: draft.texts.map((text, each) => (each === place ? { ...text, ...part } : text)) })
  const { hasFiles } = partsOf(product.product_type)

  return (
    <Page
      title={product.title}
      trail={{ to: '/products', title: t('menu.products') }}
      chips={
        product.published ? (
          <Chip tone="ok">{t('products.states.visible')}</Chip>
        ) : (
          <Chip tone="draft">{t('products.states.hidden')}</Chip>
        )
      }
      about={t('products.about', {
        type: t(`products.types.${product.product_type}` as 'products.types.1'),
        time: dayAndTime(product.updated_at),
      })}
      actions={
        mayChange && (
          <>
            {!product.mirrored && <Duplicate product={product} />}
            <Button look="danger" onClick={() => setIsAsked(true)}>
              {t('products.delete')}
            </Button>
          </>
        )
      }
    >
      {product.mirrored && <p className="notice wait">{t('products.mirrored')}</p>}
      <form className="columns" onSubmit={submit}>
        <fieldset className="stack" disabled={!mayChange}>
          <Texts draft={draft} set={set} change={changeText} errorAt={errorAt} />
          <Offers type={product.product_type} draft={draft} set={set} errorAt={errorAt} />
          {hasFiles && <Files product={product} />}
          <Found texts={draft.texts} change={changeText} domain={location.host} />
        </fieldset>
        <fieldset className="stack" disabled={!mayChange}>
          <Card title={t('products.visibility')}>
            <div className="card-body stack">
              <Check
                label={t('products.in_shop')}
                isOn={draft.published}
                onChange={(published) => set({ published })}
              />
              <Check label={t('products.pre_sales')} isOn={draft.preSales} onChange={(preSales) => set({ preSales })} />
            </div>
          </Card>
          <Gallery pictures={draft.pictures} onPictures={(pictures) => set({ pictures })} errorAt={errorAt} />
          <Shelves chosen={draft.categories} onChosen={(categories) => set({ categories })} />
          <Details type={product.product_type} draft={draft} set={set} errorAt={errorAt} />
        </fieldset>
        <SaveBar {...bar} />
      </form>
      {isAsked && <DeleteQuestion product={product} close={() => setIsAsked(false)} />}
    </Page>
  )
}

type TextsProps = {
  draft: Draft
  set: (part: Partial<Draft>) => void
  change: (place: number, part: Partial<Text>) => void
  errorAt: ErrorAt
}

/** The texts of the product, language by language. */
function Texts({ draft, set, change, errorAt }: TextsProps) {
  return (
    <Card title={t('products.texts')}>
      <div className="card-body stack">
        <TextField
          label={t('products.title')}
          hint={t('products.title_hint')}
          value={draft.title}
          onValue={(title) => set({ title })}
          error={errorAt('title')}
        />
        {draft.texts.map((text, place) => (
          <fieldset key={text.language_id} className="stack">
            <legend className="strong">{languageName(text.language_id)}</legend>
            <TextField
              label={t('products.title_in', { language: languageName(text.language_id) })}
              value={text.title}
              onValue={(title) => change(place, { title })}
              error={errorAt(`locales[${place}].title`)}
            />
            <RichText
              label={t('products.description_in', { language: languageName(text.language_id) })}
              value={text.description}
              onValue={(description) => change(place, { description })}
              error={errorAt(`locales[${place}].description`)}
            />
          </fieldset>
        ))}
      </div>
    </Card>
  )
}

/** A second product begins as a copy of the first one, hidden and without its files. */
function Duplicate({ product }: { product: Product }) {
  const duplicate = useDuplicate()
  const navigate = useNavigate()
  const copy = () =>
    duplicate.mutate(
      { product, title: t('products.copy_of', { title: product.title }) },
      {
        onSuccess: ({ id, title }) => {
          toast(t('products.duplicated', { title }))
          void navigate({ to: '/products/$id', params: { id: String(id) } })
        },
        onError: (error) => toast(problemText(error)),
      },
    )
  return (
    <Button icon="copy" disabled={duplicate.isPending} onClick={copy}>
      {t('products.duplicate')}
    </Button>
  )
}

function DeleteQuestion({ product, close }: { product: Product; close: () => void }) {
  const remove = useDeleteProduct(product.id)
  const navigate = useNavigate()
  const { title } = product
  return (
    <Confirm
      title={t('products.delete_title', { title })}
      text={t('products.delete_text')}
      action={t('products.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast(t('products.deleted', { title }))
            void navigate({ to: '/products', search: {} })
          },
        })
      }
      close={close}
    />
  )
}
