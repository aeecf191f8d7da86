import './marketplace.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { isStored } from '../products/pictures.tsx'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type MarketProduct, marketProductQuery, useShowMirror, useTake } from './queries.ts'
import { inPercent, paragraphsOf, pricesOf, shareOf, typeOf } from './words.ts'

const route = getRouteApi('/marketplace/products/$id')
const TRAIL = () => ({ to: '/marketplace', title: t('menu.marketplace') })

/** A product of another company: what it is, how it is sold, and what is left of a sale. */
export function MarketProductDetail() {
  const { id } = route.useParams()
  const read = useQuery(marketProductQuery(id))
  const mayChange = useMay('request_products')
  if (read.data === undefined)
    return (
      <Page title={t('menu.marketplace')} trail={TRAIL()}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const product = read.data
  const { mirror, pictures } = product
  const shown = pictures.filter(isStored)
  return (
    <Page
      title={product.title}
      trail={TRAIL()}
      chips={
        mirror !== null && (
          <Chip tone={mirror.published ? 'ok' : 'draft'}>
            {t(mirror.published ? 'marketplace.states.shown' : 'marketplace.states.hidden')}
          </Chip>
        )
      }
      about={t('marketplace.offered_by', { type: typeOf(product.product_type), name: product.company_name })}
      actions={mayChange && <Actions product={product} />}
    >
      <div className="columns">
        <div className="stack">
          <Card title={t('marketplace.what')}>
            <div className="card-body stack">
              {shown.length > 0 && (
                <ul className="market-pictures" aria-label={t('marketplace.pictures')}>
                  {shown.map((src) => (
                    <li key={src}>
                      <img src={src} alt="" loading="lazy" />
                    </li>
                  ))}
                </ul>
              )}
              {product.description === '' ? (
                <p className="muted">{t('marketplace.no_text')}</p>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a text that nobody changes here
                paragraphsOf(product.description).map((text, place) => <p key={place}>{text}</p>)
              )}
            </div>
          </Card>
          <Terms product={product} />
        </div>
        <Card title={t('marketplace.share_title')}>
          <div className="card-body stack">
            <p className="strong">{shareOf(product.cost_to_licensees_percent)}</p>
            <p className="muted">{t('marketplace.share_text')}</p>
            <p>
              <Link to="/marketplace" search={{ market: product.market_id }}>
                {t('marketplace.more_of', { name: product.company_name })}
              </Link>
            </p>
          </div>
        </Card>
      </div>
    </Page>
  )
}

/** The ways in which it is sold, and what the shop keeps of each. */
function Terms({ product: { terms, cost_to_licensees_percent } }: { product: MarketProduct }) {
  return (
    <Card title={t('marketplace.terms')} aside={t('marketplace.terms_about')}>
      <ul className="rows">
        {terms.map((term, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two ways to sell may be called the same
          <li key={place}>
            <span className="grow">
              <span className="strong">{term.license ?? t('marketplace.goods')}</span>
              <br />
              <span className="muted small">
                {t('marketplace.kept', { percent: inPercent(100 - cost_to_licensees_percent) })}
              </span>
            </span>
            <span className="figure">{pricesOf(term)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Actions({ product: { id, title, mirror } }: { product: MarketProduct }) {
  const take = useTake()
  const show = useShowMirror()
  const onError = (error: Error) => toast(problemText(error))
  if (mirror !== null)
    return (
      <>
        <ButtonLink to="/products/$id" params={{ id: String(mirror.id) }}>
          {t('marketplace.to_product')}
        </ButtonLink>
        <Button
          look={mirror.published ? 'plain' : 'primary'}
          disabled={show.isPending}
          onClick={() =>
            show.mutate(
              { id: mirror.id, isShown: !mirror.published },
              {
                onSuccess: () =>
                  toast(t(mirror.published ? 'products.now_hidden' : 'products.now_published', { title })),
                onError,
              },
            )
          }
        >
          {t(mirror.published ? 'products.hide' : 'products.publish')}
        </Button>
      </>
    )
  return (
    <>
      <Button
        disabled={take.isPending}
        onClick={() =>
          take.mutate({ id, isShown: false }, { onSuccess: () => toast(t('marketplace.added', { title })), onError })
        }
      >
        {t('marketplace.add')}
      </Button>
      <Button
        look="primary"
        disabled={take.isPending}
        onClick={() =>
          take.mutate({ id, isShown: true }, { onSuccess: () => toast(t('marketplace.activated', { title })), onError })
        }
      >
        {t('marketplace.activate')}
      </Button>
    </>
  )
}
