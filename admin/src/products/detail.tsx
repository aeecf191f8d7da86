import './products.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { shopsQuery } from '../shop/queries.ts'
import { Button } from '../ui/button.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { Help } from '../ui/help.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { DeleteQuestion } from './delete.tsx'
import { Details } from './details.tsx'
import { changesIn, draftOf, type Text } from './draft.ts'
import { BeforePublishing } from './editor/before-publishing.tsx'
import { Parts } from './editor/parts.tsx'
import { Preview } from './editor/preview.tsx'
import { Standing, shopPath } from './editor/standing.tsx'
import { Texts } from './editor/texts.tsx'
import { Visibility } from './editor/visibility.tsx'
import { Files } from './files.tsx'
import { Found } from './found.tsx'
import { Gallery } from './gallery.tsx'
import { Offers } from './offers.tsx'
import { type Product, productQuery, useDuplicate } from './queries.ts'
import { useSaveProduct } from './saving.ts'
import { isBuyable, StateChip } from './state.tsx'
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
  const { draft, set, saveWith, errorAt, submit, bar } = useEditing({
    read,
    draftOf: draftOfRead,
    changesIn,
    save: useSaveProduct(product.id),
    saidOf: ({ title }) => t('products.saved', { title }),
  })
  const changeText = (place: number, part: Partial<Text>) =>
    set({ texts: draft.texts.map((text, each) => (each === place ? { ...text, ...part } : text)) })
  const type = product.product_type
  const { hasFiles, isCollection } = partsOf(type)

  return (
    <Page
      title={product.title}
      trail={{ to: '/products', title: t('menu.products') }}
      chips={<StateChip product={product} />}
      about={t('products.about', {
        type: t(`products.types.${type}` as 'products.types.1'),
        time: dayAndTime(product.updated_at),
      })}
      actions={
        <>
          <ViewInShop product={product} />
          {mayChange && !draft.published && (
            <Button disabled={bar.isBusy} onClick={() => saveWith({ published: true })}>
              {t('products.publish')}
            </Button>
          )}
          {mayChange && !product.mirrored && <Duplicate product={product} />}
          {mayChange && (
            <Button look="danger" onClick={() => setIsAsked(true)}>
              {t('products.delete')}
            </Button>
          )}
        </>
      }
    >
      {product.mirrored && (
        <p className="notice wait">
          <span className="grow">{t('products.mirrored')}</span>
          <Help term="mirrored_product" />
        </p>
      )}
      <form className="columns" onSubmit={submit}>
        <fieldset className="stack" disabled={!mayChange || product.mirrored}>
          <Texts draft={draft} set={set} change={changeText} errorAt={errorAt} />
          <Gallery pictures={draft.pictures} onPictures={(pictures) => set({ pictures })} errorAt={errorAt} />
          {isCollection && (
            <Parts included={draft.included} onIncluded={(included) => set({ included })} errorAt={errorAt} />
          )}
          {hasFiles && !product.mirrored && <Files product={product} isTrialOn={draft.hasTrial} />}
          <Offers type={type} draft={draft} set={set} errorAt={errorAt} />
          <Details type={type} draft={draft} set={set} errorAt={errorAt} />
          <Found texts={draft.texts} change={changeText} domain={location.host} picture={draft.pictures[0]} />
        </fieldset>
        <fieldset className="stack" disabled={!mayChange}>
          {!product.mirrored && <BeforePublishing product={product} draft={draft} />}
          <Visibility product={product} draft={draft} set={set} errorAt={errorAt} />
          <Preview product={product} draft={draft} />
          <fieldset className="stack" disabled={product.mirrored}>
            <Standing product={product} draft={draft} set={set} errorAt={errorAt} />
          </fieldset>
        </fieldset>
        <SaveBar {...bar} />
      </form>
      {isAsked && <DeleteQuestion product={product} close={() => setIsAsked(false)} />}
    </Page>
  )
}

/** Its page in the shop; that of a product which customers do not find is for its owner alone. */
function ViewInShop({ product }: { product: Product }) {
  const [shop] = useQuery(shopsQuery).data ?? []
  if (shop === undefined) return null
  const path = shopPath(shop.id, product.id)
  return (
    <a className="button" href={isBuyable(product) ? path : `${path}/preview`} target="_blank" rel="noreferrer">
      <Icon name="eye" />
      {t('products.view')}
    </a>
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
