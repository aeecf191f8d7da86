import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { errorsOf, Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { changesIn, draftOf, inputOf, isReadable, NEW_OFFER } from './draft.ts'
import { OfferFields } from './offer-fields.tsx'
import { MarketplacePage } from './parts.tsx'
import {
  type Offer,
  offeredQuery,
  offerQuery,
  takersQuery,
  useMakeOffer,
  useSaveOffer,
  useWithdrawOffer,
} from './queries.ts'
import { inPercent, typeOf } from './words.ts'

/** What the company offers to others itself. */
export function OwnOffer() {
  const read = useQuery(offerQuery)
  const { data } = read
  return (
    <MarketplacePage
      part="offer"
      about={t('marketplace.offer_about')}
      actions={data != null && <Withdraw offer={data.offer} />}
      failed={read.isError ? read : undefined}
    >
      {data === undefined ? (
        <WaitingRows count={3} />
      ) : data === null ? (
        <NewOffer />
      ) : (
        <div className="columns">
          <div className="stack">
            <Offered offer={data.offer} />
            <Takers offer={data.offer} />
          </div>
          <Editor key={data.offer.id} read={data} />
        </div>
      )}
    </MarketplacePage>
  )
}

function NewOffer() {
  const [draft, setDraft] = useState(NEW_OFFER)
  const [isTried, setTried] = useState(false)
  const make = useMakeOffer()
  const errors = errorsOf(make.error)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        // When it is read again, this form is gone: the toast must not go with it.
        if (isReadable(draft))
          void make.mutateAsync(inputOf(draft)).then(
            () => toast(t('marketplace.offered')),
            () => undefined,
          )
      }}
    >
      <Card title={t('marketplace.new_offer')}>
        <div className="card-body stack">
          <p>{t('marketplace.new_offer_text')}</p>
          <OfferFields
            draft={draft}
            set={(part) => setDraft((now) => ({ ...now, ...part }))}
            errorAt={(path) => errors[path]?.[0]}
            isTried={isTried}
          />
          {make.isError && (
            <p className="notice bad" role="alert">
              {errors.theme_setting_id?.[0] === undefined ? problemText(make.error) : t('marketplace.no_shop')}
            </p>
          )}
          <div className="actions">
            <Button type="submit" look="primary" disabled={make.isPending}>
              {t('marketplace.make_offer')}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  )
}

function Editor({ read }: { read: { offer: Offer; etag: string } }) {
  const save = useSaveOffer(read.offer.id)
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save,
    saidOf: () => t('marketplace.offer_saved'),
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        // What is wrong is said beside its field already.
        if (isReadable(draft)) submit(event)
        else event.preventDefault()
      }}
    >
      <Card title={t('marketplace.offer_terms')}>
        <div className="card-body stack">
          <p className="muted">
            {t(read.offer.company_ids === null ? 'marketplace.to_whom' : 'marketplace.to_chosen')}
          </p>
          <OfferFields draft={draft} set={set} errorAt={errorAt} isTried />
          <p className="muted small">{t('marketplace.agreed_stays')}</p>
        </div>
      </Card>
      <SaveBar {...bar} />
    </form>
  )
}

/** The own products that others can take now. */
function Offered({ offer: { id } }: { offer: Offer }) {
  const offered = useQuery(offeredQuery(id))
  const { data } = offered
  return (
    <Card title={t('marketplace.offered_products')} {...(data === undefined ? {} : { end: data.total })}>
      {offered.isError ? (
        <Problem error={offered.error} retry={() => void offered.refetch()} />
      ) : data === undefined ? (
        <WaitingRows count={3} />
      ) : data.rows.length === 0 ? (
        <p className="card-body muted">{t('marketplace.nothing_offered')}</p>
      ) : (
        <ul className="rows market-offered">
          {data.rows.map((product) => (
            <li key={product.id}>
              <Link className="strong grow cut" to="/products/$id" params={{ id: String(product.id) }}>
                {product.title}
              </Link>
              <span className="muted">{typeOf(product.product_type)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Who sells them, and for which share. */
function Takers({ offer: { id } }: { offer: Offer }) {
  const takers = useQuery(takersQuery(id))
  const { data } = takers
  return (
    <Card title={t('marketplace.takers')}>
      {takers.isError ? (
        <Problem error={takers.error} retry={() => void takers.refetch()} />
      ) : data === undefined ? (
        <WaitingRows count={1} />
      ) : data.length === 0 ? (
        <p className="card-body muted">{t('marketplace.no_takers')}</p>
      ) : (
        <ul className="rows">
          {data.map((taker) => (
            <li key={taker.id}>
              <span className="grow">
                <span className="strong">{taker.company_name}</span>
                <br />
                <span className="muted small">
                  {t('marketplace.taker_products', {
                    count: taker.product_count,
                    shown: count(taker.published_count),
                  })}
                </span>
              </span>
              <span className="figure">
                {taker.percent_min === taker.percent_max
                  ? inPercent(taker.percent_min)
                  : t('marketplace.percent_between', {
                      from: inPercent(taker.percent_min),
                      to: inPercent(taker.percent_max),
                    })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Withdraw({ offer: { id } }: { offer: Offer }) {
  const [isAsked, setAsked] = useState(false)
  const withdraw = useWithdrawOffer(id)
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        {t('marketplace.withdraw')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('marketplace.withdraw_title')}
          text={t('marketplace.withdraw_text')}
          action={t('marketplace.withdraw')}
          isDanger
          problem={withdraw.error === null ? undefined : problemText(withdraw.error)}
          isBusy={withdraw.isPending}
          confirm={() =>
            // When it is read again, this button is gone: the toast must not go with it.
            void withdraw.mutateAsync().then(
              () => toast(t('marketplace.withdrawn')),
              () => undefined,
            )
          }
          close={() => setAsked(false)}
        />
      )}
    </>
  )
}
