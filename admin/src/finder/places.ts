import { PARTS as APP_PARTS } from '../apps/parts.tsx'
import { PARTS as PEOPLE_PARTS } from '../audience/parts.tsx'
import { PARTS as CODE_PARTS } from '../discounts/parts.tsx'
import { PARTS as MEMBERSHIP_PARTS } from '../groups/parts.tsx'
import { KINDS } from '../imports/search.ts'
import { PARTS as MARKET_PARTS } from '../marketplace/parts.tsx'
import type { Permission } from '../session/session.ts'
import type { useParts } from '../settings/parts.tsx'
import { EVERY_DAY, NOW_AND_THEN } from '../shell/menu.ts'
import { PARTS } from '../shop/search.ts'
import { t } from '../words/words.ts'
import { type Entry, hasWords } from './entries.ts'

type Place = Omit<Entry, 'key' | 'group'> & { permission?: Permission }

/** Screens, settings and what can be begun. */
function allPlaces(settings: ReturnType<typeof useParts>): Place[] {
  return [
    ...EVERY_DAY.map(({ to, title }) => ({ title: t(title), about: '', link: { to } })),
    ...NOW_AND_THEN.map(({ to, title, permission }) => ({ title: t(title), about: '', link: { to }, permission })),
    ...PARTS.filter((part) => part !== 'design').map((part) => ({
      title: t(`shop.parts.${part}`),
      about: t('menu.shop'),
      link: { to: '/shop', search: { part } } as const,
      permission: 'request_products' as const,
    })),
    ...PEOPLE_PARTS.filter(({ part }) => part !== 'customers').map(({ part, to }) => ({
      title: t(`audience.parts.${part}`),
      about: t('menu.customers'),
      link: { to },
    })),
    ...MEMBERSHIP_PARTS.map(({ part, to }) => ({
      title: t(`subscriptions.parts.${part}`),
      about: t('menu.memberships'),
      link: { to },
    })),
    { title: t('orders.new'), about: t('menu.orders'), link: { to: '/orders/new' }, permission: 'accounting' },
    {
      title: t('products.new'),
      about: t('menu.products'),
      link: { to: '/products/new' },
      permission: 'request_products',
    },
    ...(['/licenses', '/licenses/prices'] as const).map((to) => ({
      title: t(to === '/licenses' ? 'licenses.parts.licenses' : 'licenses.parts.prices'),
      about: t('menu.licenses'),
      link: { to },
      permission: 'request_products' as const,
    })),
    {
      title: t('licenses.new'),
      about: t('menu.licenses'),
      link: { to: '/licenses/new' },
      permission: 'request_products',
    },
    {
      title: t('prices.new'),
      about: t('menu.licenses'),
      link: { to: '/licenses/prices/new' },
      permission: 'request_products',
    },
    { title: t('fulfillments.import'), about: t('menu.fulfillments'), link: { to: '/fulfillments/import' } },
    {
      title: t('shipping.new'),
      about: t('settings.parts.shipping'),
      link: { to: '/settings/shipping/new' },
      permission: 'request_products',
    },
    ...CODE_PARTS.filter(({ part }) => part !== 'discounts').map(({ part, to, permission }) => ({
      title: t(`discounts.parts.${part}`),
      about: t('menu.discounts'),
      link: { to },
      permission,
    })),
    { title: t('reviews.title'), about: t('menu.products'), link: { to: '/reviews' } },
    ...MARKET_PARTS.map(({ part, to, permission }) => ({
      title: t(`marketplace.parts.${part}`),
      about: t('menu.marketplace'),
      link: { to },
      permission,
    })),
    ...KINDS.map((kind) => ({
      title: t(`imports.of.${kind}`),
      about: t(`imports.kinds.${kind}`),
      link: { to: '/imports', search: { kind } } as const,
      permission: 'request_products' as const,
    })),
    ...settings.map(({ part, to, ...rest }) => ({
      title: t(`settings.parts.${part}`),
      about: t('menu.settings'),
      link: { to },
      ...rest,
    })),
    ...APP_PARTS.filter(({ part }) => part !== 'apps').map(({ part, to }) => ({
      title: t(`apps.parts.${part}`),
      about: t('menu.apps'),
      link: { to },
      permission: 'create_users' as const,
    })),
    {
      title: t('mails.parts.log'),
      about: t('menu.mails'),
      link: { to: '/mails/log' },
      permission: 'request_products',
    },
    { title: t('help.title'), about: '', link: { to: '/help' } },
    { title: t('menu.docs'), about: '', link: { href: '/docs' } },
  ]
}

const SHOWN = 8

/** The places whose names have the words; without words, the first ones. */
export function findPlaces(
  words: string,
  settings: ReturnType<typeof useParts>,
  may: (permission: Permission) => boolean,
): Entry[] {
  return allPlaces(settings)
    .filter(({ permission }) => permission === undefined || may(permission))
    .filter(({ title, about }) => hasWords(`${title} ${about}`, words))
    .slice(0, SHOWN)
    .map(({ permission: _permission, ...place }) => ({
      ...place,
      key: `places ${place.title} ${place.about}`,
      group: 'places',
    }))
}
