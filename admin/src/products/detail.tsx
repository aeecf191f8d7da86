import { ChangedError, LicetError } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Check, TextArea, TextField } from '../ui/fields.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime, languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Details } from './details.tsx'
import { changesIn, type Draft, draftOf, isChanged } from './draft.ts'
import { Files } from './files.tsx'
import { Offers } from './offers.tsx'
import { Picture } from './pictures.tsx'
import { type Product, productQuery, useDeleteProduct, useSaveProduct } from './queries.ts'
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

/** What is wrong with a field, as the service says it. */
function errorsOf(error: unknown): (path: string) => string | undefined {
  const errors = error instanceof LicetError ? error.errors : {}
  return (path) => errors[path]?.[0]
}

function ProductPage({ read }: { read: { product: Product; etag: string } }) {
  const { product } = read
  const [base, setBase] = useState(read)
  const [draft, setDraft] = useState(() => draftOf(product))
  const [saved, setSaved] = useState<Draft>()
  const [isAsked, setIsAsked] = useState(false)
  const save = useSaveProduct(product.id)
  const mayChange = useMay('request_products')
  const before = draftOf(base.product)
  const changes = changesIn(before, draft)
  const isUnsaved = isChanged(changes)
  // A newer version is taken over if it is the one that was saved, or if nothing was typed; otherwise saving tells of it.
  useEffect(() => {
    if (read.etag === base.etag || (isUnsaved && saved === undefined)) return
    setBase(read)
    // What was typed while it was being saved stays.
    setDraft((now) => (saved === undefined || now === saved ? draftOf(read.product) : now))
    setSaved(undefined)
  }, [read, base.etag, isUnsaved, saved])
  useEffect(() => {
    if (!isUnsaved) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const errorAt = errorsOf(save.error)
  const store = (etag?: string) =>
    save.mutate(etag === undefined ? { changes } : { changes, etag }, {
      onSuccess: () => {
        setSaved(draft)
        toast(t('products.saved', { title: draft.title }))
      },
    })
  const takeTheirs = () => {
    setBase(read)
    setDraft(draftOf(read.product))
    save.reset()
  }
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
          <Button look="danger" onClick={() => setIsAsked(true)}>
            {t('products.delete')}
          </Button>
        )
      }
    >
      {product.mirrored && <p className="notice wait">{t('products.mirrored')}</p>}
      <form
        className="columns"
        onSubmit={(event) => {
          event.preventDefault()
          store(base.etag)
        }}
      >
        <fieldset className="stack" disabled={!mayChange}>
          <Texts draft={draft} set={set} errorAt={errorAt} />
          <Offers type={product.product_type} draft={draft} set={set} errorAt={errorAt} />
          {hasFiles && <Files product={product} />}
        </fieldset>
        <fieldset className="stack" disabled={!mayChange}>
          <Card title={t('products.visibility')}>
            <div className="card-body">
              <Check
                label={t('products.in_shop')}
                isOn={draft.published}
                onChange={(published) => set({ published })}
              />
            </div>
          </Card>
          {product.preview_pictures.length > 0 && (
            <Card title={t('products.pictures')}>
              <div className="card-body actions">
                {product.preview_pictures.map(({ id, src }) => (
                  <Picture key={id} src={src} isLarge />
                ))}
              </div>
            </Card>
          )}
          <Details type={product.product_type} draft={draft} set={set} errorAt={errorAt} />
        </fieldset>
        {(isUnsaved || save.isPending) && (
          <section className="save-bar" aria-label={t('save.label')}>
            {save.error instanceof ChangedError ? (
              <>
                <span className="grow">{t('save.conflict')}</span>
                <Button onClick={takeTheirs}>{t('save.theirs')}</Button>
                <Button look="primary" onClick={() => store()}>
                  {t('save.mine')}
                </Button>
              </>
            ) : (
              <>
                <span className={save.isError ? 'grow wrong' : 'grow muted'} role={save.isError ? 'alert' : undefined}>
                  {save.isError ? problemText(save.error) : t('save.unsaved')}
                </span>
                <Button onClick={takeTheirs}>{t('save.discard')}</Button>
                <Button type="submit" look="primary" disabled={save.isPending}>
                  {t('save.save')}
                </Button>
              </>
            )}
          </section>
        )}
      </form>
      {isAsked && <DeleteQuestion product={product} close={() => setIsAsked(false)} />}
    </Page>
  )
}

type TextsProps = { draft: Draft; set: (part: Partial<Draft>) => void; errorAt: (path: string) => string | undefined }

/** The texts of the product, language by language. */
function Texts({ draft, set, errorAt }: TextsProps) {
  const change = (place: number, part: Partial<Draft['texts'][number]>) =>
    set({ texts: draft.texts.map((text, each) => (each === place ? { ...text, ...part } : text)) })
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
            <TextArea
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
