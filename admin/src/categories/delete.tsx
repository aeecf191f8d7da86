import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Confirm } from '../ui/confirm.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Category, treeQuery, useDeleteCategory } from './queries.ts'

/** Says what deleting means for what is in the category and below it. */
export function DeleteCategory({ category, close }: { category: Category; close: () => void }) {
  const remove = useDeleteCategory(category.id)
  const navigate = useNavigate()
  const tree = useQuery(treeQuery).data ?? []
  const { title } = category
  const children = tree.filter(({ parent_id }) => parent_id === category.id).length
  return (
    <Confirm
      title={t('categories.delete_title', { title })}
      text={t('categories.delete_text', { products: category.entries.length, children })}
      action={t('categories.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast(t('categories.deleted', { title }))
            void navigate({ to: '/categories', ignoreBlocker: true })
          },
        })
      }
      close={close}
    />
  )
}
