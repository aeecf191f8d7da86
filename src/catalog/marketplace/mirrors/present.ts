import type { Product } from '#catalog/products/schema.ts'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { MirroredProduct, MirrorStanding } from './schema.ts'
import type { MirrorRow } from './state.ts'

function standingOf({ valid, offered_percent, has_original }: MirrorRow): MirrorStanding {
  if (offered_percent === null || !has_original) return 'ended'
  return valid ? 'offered' : 'held_back'
}

export function presentMirror(row: MirrorRow): MirroredProduct {
  const product: Product = JSON.parse(row.document)
  const pictures = [...product.preview_pictures, ...product.locales].map(({ src }) => src)
  return {
    id: product.id,
    product_id: product.product_id,
    title: product.title,
    product_type: product.product_type,
    src: pictures.find((src) => src !== '') ?? '',
    published: product.published,
    standing: standingOf(row),
    company_name: row.company_name,
    cost_to_licensees_percent: row.cost_to_licensees_percent,
    offered_percent: row.offered_percent,
    taken_at: wireTime(row.created_at),
    changed_at: wireTimeOrNull(row.followed_at),
    changes: row.followed_changes,
  }
}
