import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Confirm } from '../ui/confirm.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { deleteSoon } from './leaving.ts'
import { ownersQuery, type Product, useDeleteProduct } from './queries.ts'

/** Says what deleting means for those who have bought the product. What nobody has can be brought back for a moment. */
export function DeleteQuestion({ product, close }: { product: Product; close: () => void }) {
  const client = useQueryClient()
  const remove = useDeleteProduct(product.id)
  const owners = useQuery(ownersQuery(product.product_id))
  const navigate = useNavigate()
  const { title } = product
  const leave = () => void navigate({ to: '/products', search: {} })
  const isDraft = !product.published && owners.data === 0
  const confirm = () => {
    if (isDraft) {
      deleteSoon(client, product)
      return leave()
    }
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(t('products.deleted', { title }))
        leave()
      },
    })
  }
  return (
    <Confirm
      title={t('products.delete_title', { title })}
      text={owners.data === undefined ? t('products.delete_text') : t('products.delete_owners', { count: owners.data })}
      action={t('products.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending || owners.isPending}
      confirm={confirm}
      close={close}
    />
  )
}
