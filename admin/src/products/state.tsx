import { Chip } from '../ui/page.tsx'
import { shortTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import { lacksContent } from './editor/checklist.ts'
import type { Product } from './queries.ts'

const lacksPrice = ({ price_license_binding: offers }: Product) => offers.every(({ price_id }) => price_id === null)

const isAhead = ({ published_at }: Product) => published_at !== null && timeOf(published_at) > new Date()

/** Do customers find it in the shop? */
export function isBuyable(product: Product): boolean {
  const { published, valid, pre_sales } = product
  return published && valid && !lacksPrice(product) && (pre_sales || !(lacksContent(product) || isAhead(product)))
}

/** Can it be bought, and if not, why not? */
export function StateChip({ product }: { product: Product }) {
  const { published, published_at, pre_sales, valid } = product
  if (!published) return <Chip tone="draft">{t('products.states.hidden')}</Chip>
  if (!valid) return <Chip tone="bad">{t('products.states.not_offered')}</Chip>
  const [noPrice, noFile] = [lacksPrice(product), lacksContent(product) && !pre_sales]
  if (noPrice) return <Chip tone="bad">{t(noFile ? 'products.states.nothing' : 'products.states.no_price')}</Chip>
  if (noFile) return <Chip tone="bad">{t('products.states.no_file')}</Chip>
  if (published_at !== null && isAhead(product)) {
    const time = shortTime(published_at)
    return <Chip tone="wait">{t(pre_sales ? 'products.states.pre_order' : 'products.states.scheduled', { time })}</Chip>
  }
  return <Chip tone="ok">{t('products.states.visible')}</Chip>
}
