import '../products/products.css'
import './categories.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { shopsQuery } from '../shop/queries.ts'
import { Button } from '../ui/button.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { Check, TextArea, TextField } from '../ui/forms/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { DeleteCategory } from './delete.tsx'
import { changesIn, draftOf } from './draft.ts'
import { Products } from './products.tsx'
import { type Category, categoryQuery, shopPathOf, treeQuery, useSaveCategory } from './queries.ts'
import { Texts } from './texts.tsx'

const route = getRouteApi('/categories/$id')

export function CategoryDetail() {
  const { id } = route.useParams()
  const category = useQuery({ ...categoryQuery(id), refetchOnWindowFocus: false })
  if (category.data !== undefined) return <CategoryPage key={id} read={category.data} />
  return (
    <Page title={t('categories.one')} trail={{ to: '/categories', title: t('menu.categories') }}>
      {category.isError ? (
        <Problem error={category.error} retry={() => void category.refetch()} />
      ) : (
        <Card label={t('categories.one')}>
          <div className="card-body">
            <span className="skeleton" />
          </div>
        </Card>
      )}
    </Page>
  )
}

function CategoryPage({ read }: { read: { category: Category; etag: string } }) {
  const { category } = read
  const mayChange = useMay('request_products')
  const [isAsked, setIsAsked] = useState(false)
  const [shop] = useQuery(shopsQuery).data ?? []
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save: useSaveCategory(category.id),
    saidOf: ({ title }) => t('categories.saved', { title }),
  })
  return (
    <Page
      title={category.title}
      trail={{ to: '/categories', title: t('menu.categories') }}
      chips={
        <Chip tone={category.enabled ? 'ok' : 'draft'}>
          {t(category.enabled ? 'categories.shown' : 'categories.hidden')}
        </Chip>
      }
      about={<Above category={category} />}
      actions={
        <>
          {shop !== undefined && category.enabled && (
            <a className="button" href={shopPathOf(shop.id, category.id)} target="_blank" rel="noreferrer">
              <Icon name="eye" />
              {t('products.view')}
            </a>
          )}
          {mayChange && (
            <Button look="danger" onClick={() => setIsAsked(true)}>
              {t('categories.delete')}
            </Button>
          )}
        </>
      }
    >
      <form className="columns" onSubmit={submit}>
        <fieldset className="stack" disabled={!mayChange}>
          <Texts draft={draft} set={set} errorAt={errorAt} />
          <Products products={draft.products} onProducts={(products) => set({ products })} errorAt={errorAt} />
        </fieldset>
        <fieldset className="stack" disabled={!mayChange}>
          <Card title={t('categories.visibility')}>
            <div className="card-body stack">
              <Check label={t('categories.enabled')} isOn={draft.enabled} onChange={(enabled) => set({ enabled })} />
            </div>
          </Card>
          <Card title={t('categories.internal')}>
            <div className="card-body stack">
              <TextField
                label={t('categories.title')}
                hint={t('categories.title_hint')}
                value={draft.title}
                onValue={(title) => set({ title })}
                error={errorAt('title')}
              />
              <TextArea
                label={t('categories.comment')}
                value={draft.comment}
                onValue={(comment) => set({ comment })}
                error={errorAt('comment')}
              />
            </div>
          </Card>
        </fieldset>
        <SaveBar {...bar} />
      </form>
      {isAsked && <DeleteCategory category={category} close={() => setIsAsked(false)} />}
    </Page>
  )
}

/** The categories above, from the top. */
function Above({ category }: { category: Category }) {
  const tree = useQuery(treeQuery).data ?? []
  const names: string[] = []
  for (let id = category.parent_id; id !== 0 && names.length < tree.length; ) {
    const parent = tree.find((each) => each.id === id)
    if (parent === undefined) break
    names.unshift(parent.title)
    id = parent.parent_id
  }
  return names.length === 0 ? t('categories.at_top') : t('categories.below', { path: names.join(' › ') })
}
