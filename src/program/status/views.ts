import { html } from 'ghtml'
import { type Html, layout } from '#platform/pages/layout.ts'
import { localeOf, type Translator } from '#platform/text/messages.ts'
import { momentIn } from '#platform/text/times.ts'
import type { Day, PartStatus } from './rules.ts'

/** More than this of a day was not a short disturbance. */
const LONG_MINUTES = 60
const LISTED_MAX = 10

export type StatusView = { parts: readonly PartStatus[]; isAway: boolean; at: Date | undefined }

const NAMES = {
  shops: 'account.status.parts.shops',
  work: 'account.status.parts.work',
  webhooks: 'account.status.parts.webhooks',
  mails: 'account.status.parts.mails',
} as const

function dayClass({ lostMinutes }: Day): string {
  if (lostMinutes === undefined) return 'unknown'
  if (lostMinutes === 0) return 'good'
  return lostMinutes > LONG_MINUTES ? 'bad' : 'some'
}

function chip(t: Translator, works: boolean): Html {
  return works
    ? html`<span class="chip good">${t('account.status.works')}</span>`
    : html`<span class="chip bad">${t('account.status.fails')}</span>`
}

function percent(language: string, share: number): string {
  const options = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  // 100 % is said of what never failed only.
  return new Intl.NumberFormat(localeOf(language), options).format(share < 1 ? Math.min(share, 0.9999) : 1)
}

function partRow(t: Translator, { part, works, days, share }: PartStatus, isAway: boolean): Html {
  const said =
    share === undefined ? t('account.status.unknown') : t('account.status.share', { share: percent(t.language, share) })
  return html`<li><div class="row"><h2 class="grow">${t(NAMES[part])}</h2>!${chip(t, works && !isAway)}</div>
<div class="days" aria-hidden="true">!${days.map((day) => html`<span class="!${dayClass(day)}"></span>`).join('')}</div>
<p class="faint">${said}</p></li>`
}

function disturbances(t: Translator, parts: readonly PartStatus[]): Html {
  const format = new Intl.DateTimeFormat(localeOf(t.language), { dateStyle: 'long', timeZone: 'UTC' })
  const found = parts
    .flatMap(({ part, days }) =>
      days.flatMap(({ day, lostMinutes = 0 }) => (lostMinutes > 0 ? [{ part, day, lostMinutes }] : [])),
    )
    .sort((one, other) => (one.day < other.day ? 1 : -1))
    .slice(0, LISTED_MAX)
  if (found.length === 0) return html`<p>${t('account.status.none')}</p>`
  return html`<dl class="facts">!${found
    .map(
      ({ part, day, lostMinutes }) =>
        html`<div><dt>${format.format(new Date(day))}</dt><dd>${t(NAMES[part])}: ${t('account.status.minutes', { count: lostMinutes })}</dd></div>`,
    )
    .join('')}</dl>`
}

/** The status page. It names no company and no machine. */
export function statusPage(t: Translator, { parts, isAway, at }: StatusView): Html {
  const works = !isAway && parts.every((part) => part.works)
  const title = works ? t('account.status.all_works') : t('account.status.some_fails')
  const away = isAway ? html`<p role="status">${t('account.status.away')}</p>` : ''
  const when =
    at === undefined
      ? ''
      : html`<p class="faint">${t('account.status.as_of', { time: momentIn({ language: t.language, utcOffset: 0 }, at) })}</p>`
  return layout({
    t,
    title: t('account.status.title'),
    main: html`<div class="card status"><h1>${title}</h1>
!${away}<ul class="parts">!${parts.map((part) => partRow(t, part, isAway)).join('')}</ul>
<h2>${t('account.status.disturbances')}</h2>
!${disturbances(t, parts)}!${when}</div>`,
  })
}
