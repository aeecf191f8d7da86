import type { Tone } from '../ui/page.tsx'
import { list, money, percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { MarketProduct, Mirror } from './queries.ts'

export const inPercent = (share: number) => percent(share / 100, { maximumFractionDigits: 2 })

/** Who gets what of a sale. */
export function shareOf(ownerPercent: number): string {
  return t('marketplace.share', { owner: inPercent(ownerPercent), seller: inPercent(100 - ownerPercent) })
}

type Term = MarketProduct['terms'][number]

export const pricesOf = ({ prices }: Term): string =>
  prices.map(({ amount, currency }) => money(amount, currency)).join(' · ')

/** The lowest price, in the first currency of each. */
export function priceFrom(terms: readonly Term[]): string {
  const found = terms.flatMap(({ prices }) => prices.slice(0, 1))
  const [lowest] = found.toSorted((one, other) => one.amount - other.amount)
  if (lowest === undefined) return ''
  const price = money(lowest.amount, lowest.currency)
  return found.length > 1 ? t('products.from', { price }) : price
}

/** What of a mirrored product its owner has changed; whether it is offered is told otherwise. */
export const changesOf = ({ changes }: Mirror): string =>
  list(changes.flatMap((change) => (change === 'offer' ? [] : t(`marketplace.changes.${change}`))))

export function stateOf({ standing, published }: Mirror): { tone: Tone; text: string } {
  if (standing === 'ended') return { tone: 'bad', text: t('marketplace.states.ended') }
  if (standing === 'held_back') return { tone: 'wait', text: t('marketplace.states.held_back') }
  return published
    ? { tone: 'ok', text: t('marketplace.states.shown') }
    : { tone: 'draft', text: t('marketplace.states.hidden') }
}

/**
 * The paragraphs of a text in HTML. What another company wrote is shown as text, whatever it contains: its tags are taken out
 * before the browser reads what stands for a character, such as `&amp;`.
 */
export function paragraphsOf(html: string): string[] {
  const plain = html
    .replace(/<(\/p|\/li|\/h\d|br\b)[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('<', '&lt;')
  const { body } = new DOMParser().parseFromString(plain, 'text/html')
  return body.textContent.split(/\n+/).filter((line) => line.trim() !== '')
}

export const typeOf = (type: number) => t(`products.types.${type}` as 'products.types.1')
