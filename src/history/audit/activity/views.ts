import { html } from 'ghtml'
import { address, type Html, layout, type Menu, name } from '#platform/pages/layout.ts'
import type { Reader } from '#platform/pages/reader.ts'
import { readableClock, readableDay } from '#platform/pages/times.ts'
import type { Translator } from '#platform/text/messages.ts'
import { zoneName } from '#platform/text/times.ts'
import { type Action, isAction } from '../actions.facts.ts'
import type { ActivityEntry } from './queries.ts'

/** `sign_in_refused` for `sign-in refused`. */
type Keyed<Name extends string> = Name extends `${infer Start} ${infer Rest}`
  ? Keyed<`${Start}_${Rest}`>
  : Name extends `${infer Start}-${infer Rest}`
    ? Keyed<`${Start}_${Rest}`>
    : Name

function keyOf<Name extends Action>(action: Name): Keyed<Name> {
  return action.replaceAll(/[ -]/g, '_') as Keyed<Name>
}

/** What an older version of the program wrote is shown as it is. */
function sentence(t: Translator, action: string): string {
  return isAction(action) ? t(`account.activity.actions.${keyOf(action)}`) : action
}

/** Why a sign-in was refused, where the stored words are not those of the page. */
const WRONG_CODE = /^wrong second factor$/

/** Actions that may be signs of an attack. */
const REFUSALS: readonly string[] = ['sign-in refused', 'token exchange refused'] satisfies Action[]

/** Who it was, and from where. The operator needs no account, and has no address. */
function whoOf(t: Translator, { address: from, user_email, isOfCommandLine }: ActivityEntry): Html {
  if (user_email !== null) return html`!${address(user_email)}, <span>${from}</span>`
  if (isOfCommandLine) return html`<span>${t('account.activity.command_line')}</span>`
  return html`${t('account.activity.unknown')}, <span>${from}</span>`
}

function row(reader: Reader, entry: ActivityEntry): Html {
  const { t } = reader
  const { action, subject, created_at, user_email } = entry
  const said = WRONG_CODE.test(subject) ? t('account.activity.wrong_code') : subject
  const about = subject === user_email ? '' : said
  return html`<li!${REFUSALS.includes(action) ? ' class="refusal"' : ''}>!${readableClock(reader, created_at)}
<div><p><strong>${sentence(t, action)}</strong> !${name(about)}</p>
<p class="faint">!${whoOf(t, entry)}</p></div></li>`
}

/** Each day gets a heading, so that a row shows only the time. */
export function activityPage(reader: Reader, menu: Menu, entries: ActivityEntry[]): Html {
  const { t } = reader
  const title = t('account.activity.title')
  const days = Map.groupBy(entries, ({ created_at }) => readableDay(reader, created_at))
  const sections = [...days].map(
    ([day, rows]) =>
      html`<section class="card"><h2>${day}</h2><ul class="log">!${rows.map((each) => row(reader, each)).join('')}</ul></section>`,
  )
  return layout({
    t,
    title,
    navigation: { menu, current: '/account/activity' },
    main: html`<h1>${title}</h1>
<p class="lead">${t('account.activity.text', { zone: zoneName(reader.utcOffset) })}</p>
!${sections.join('')}`,
  })
}
