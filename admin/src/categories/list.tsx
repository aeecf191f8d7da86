import './categories.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { SortableTree } from '../ui/forms/sortable-tree.tsx'
import { branchesOf } from '../ui/forms/tree-places.ts'
import { Empty } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { NewCategory } from './new.tsx'
import { treeQuery, useMoveCategory } from './queries.ts'

/** The categories of the shop as a tree, in the order in which the shop shows them. */
export function Categories() {
  const tree = useQuery(treeQuery)
  const mayChange = useMay('request_products')
  const move = useMoveCategory()
  const [isNew, setIsNew] = useState(false)
  const rows = branchesOf(tree.data ?? [])
  return (
    <Page
      title={t('menu.categories')}
      about={mayChange ? t('categories.about') : t('categories.about_reading')}
      actions={
        mayChange && (
          <Button look="primary" icon="plus" onClick={() => setIsNew(true)}>
            {t('categories.new')}
          </Button>
        )
      }
    >
      <Card label={t('menu.categories')}>
        {tree.isError ? (
          <Problem error={tree.error} retry={() => void tree.refetch()} />
        ) : tree.data === undefined ? (
          <WaitingRows count={5} />
        ) : rows.length === 0 ? (
          <Empty icon="collection" text={t('categories.none')}>
            <p className="muted">{t('categories.none_text')}</p>
          </Empty>
        ) : (
          <SortableTree
            label={t('menu.categories')}
            rows={rows}
            nameOf={({ title }) => title}
            move={({ id }, place) => move(id, place, (error) => toast(problemText(error)))}
            isFixed={!mayChange}
          >
            {({ id, title, enabled }) => (
              <>
                <Link className="grow cut strong" to="/categories/$id" params={{ id: String(id) }}>
                  {title}
                </Link>
                {!enabled && <Chip tone="draft">{t('categories.hidden')}</Chip>}
              </>
            )}
          </SortableTree>
        )}
      </Card>
      {isNew && <NewCategory rows={rows} close={() => setIsNew(false)} />}
    </Page>
  )
}
