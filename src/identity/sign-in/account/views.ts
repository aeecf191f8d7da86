import { html } from 'ghtml'
import { browserIn } from '#identity/users/sessions/rules.ts'
import {
  alarm,
  csrfField,
  type Field,
  type FormState,
  fields,
  hidden,
  hiddenUsername,
  notice,
} from '#platform/pages/form.ts'
import { address, type Html, layout, type Menu, name, tile } from '#platform/pages/layout.ts'
import type { Reader } from '#platform/pages/reader.ts'
import { readableTime } from '#platform/pages/times.ts'
import type { Translator } from '#platform/text/messages.ts'
import { codeField, newPasswordFields } from '../views.ts'
import type { Owner } from './queries.ts'

function currentPasswordField(t: Translator): Field {
  return {
    name: 'current_password',
    label: t('account.fields.current_password'),
    type: 'password',
    autocomplete: 'current-password',
  }
}

export type AccountForm = FormState & {
  owner: Owner
  told?: string | undefined
  sessions: { browser: string; address: string; seen_at: Date; isThis: boolean }[]
}

export function overviewPage(reader: Reader, menu: Menu, form: AccountForm): Html {
  const { t } = reader
  const { owner } = form
  const sessions = form.sessions.map(
    ({ browser, address: from, seen_at, isThis }) => html`<li><div><strong>${browserIn(t, browser)}</strong>!${
      isThis ? html` <span class="badge">${t('account.overview.sessions.this')}</span>` : ''
    }
<p class="faint">!${t('account.overview.sessions.seen', {
      time: readableTime(reader, seen_at),
      address: html`${from}`,
    })}</p></div></li>`,
  )
  return layout({
    t,
    title: t('account.overview.title'),
    navigation: { menu, current: '/account' },
    form,
    main: html`<h1>${t('account.overview.heading')}</h1>
!${notice(form.told)}
<section class="card row">!${tile(owner.name)}<div class="grow"><h2>!${name(owner.name)}</h2>
<p class="faint">!${owner.name === owner.email ? '' : html`!${address(owner.email)}<br>`}!${name(owner.company)}</p></div>
<form method="post" action="/sign-out">!${csrfField(form)}<button class="quiet">${t('account.overview.sign_out')}</button></form></section>
<section class="card"><h2>${t('account.overview.password.title')}</h2>
!${alarm(t, form)}
<form method="post" action="/account" class="measure">!${csrfField(form)}!${hidden('change', 'password')}!${hiddenUsername(owner.email)}
!${fields(t, [currentPasswordField(t), ...newPasswordFields(t)], form)}
<button>${t('account.overview.password.button')}</button>
</form></section>
<section class="card"><h2>${t('account.overview.sessions.title')}</h2>
<ul class="rows">!${sessions.join('')}</ul>
<form method="post" action="/account" class="after">!${csrfField(form)}!${hidden('change', 'sign_out_everywhere')}
<button class="quiet">${t('account.overview.sessions.everywhere')}</button></form></section>`,
  })
}

/** The state of a user's second factor, and the errors of the last change. */
export type SecondFactorState = Pick<FormState, 'mistakes' | 'alarm'> & { told?: string } & (
    | { kind: 'off' }
    | { kind: 'preparing'; qr: Html; secret: string }
    | { kind: 'codes'; codes: string[] }
    | { kind: 'on'; recoveryCodes: number }
  )

type SecondFactorForm = SecondFactorState & FormState

export function secondFactorSettingsPage({ t }: Reader, menu: Menu, form: SecondFactorForm): Html {
  const title = t('account.second_factor.title')
  return layout({
    t,
    title,
    navigation: { menu, current: '/account/second-factor' },
    form,
    main: html`<h1>${title}</h1>
!${notice(form.told)}
<section class="card">!${settings(t, form)}</section>`,
  })
}

const action = (form: FormState, change: string) =>
  html`<form method="post" action="/account/second-factor" class="measure">!${csrfField(form)}!${hidden('change', change)}`

function settings(t: Translator, form: SecondFactorForm): Html {
  if (form.kind === 'preparing') return preparing(t, form, form)
  if (form.kind === 'codes') return recoveryCodes(t, form.codes)
  if (form.kind === 'off')
    return html`<h2>${t('account.second_factor.off.title')} <span class="badge">${t('account.second_factor.off.badge')}</span></h2>
<p>${t('account.second_factor.off.text')}</p>
!${alarm(t, form)}
!${action(form, 'prepare')}!${fields(t, [currentPasswordField(t)], form)}<button>${t('account.second_factor.off.button')}</button></form>`
  const password = { ...currentPasswordField(t), hint: t('account.second_factor.on.both') }
  return html`<h2>${t('account.second_factor.on.title')} <span class="badge good">${t('account.second_factor.on.badge')}</span></h2>
<p>${t('account.second_factor.on.text')} ${t('account.second_factor.on.left', { count: form.recoveryCodes })}</p>
!${alarm(t, form)}
!${action(form, 'change')}!${fields(t, [password], form)}
<div class="buttons"><button name="step" value="renew" class="quiet">${t('account.second_factor.on.renew')}</button>
<button name="step" value="off" class="quiet danger">${t('account.second_factor.on.turn_off')}</button></div></form>`
}

function preparing(t: Translator, form: SecondFactorForm, { qr, secret }: { qr: Html; secret: string }): Html {
  const inFours = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return html`<h2>${t('account.second_factor.setup.add')}</h2>
<p>${t('account.second_factor.setup.scan')}</p>
<div class="qr" role="img" aria-label="${t('account.second_factor.setup.qr')}">!${qr}</div>
<p class="faint">!${t('account.second_factor.setup.type_key', { key: html`<code class="key">${inFours}</code>` })}</p>
<h2>${t('account.second_factor.setup.confirm')}</h2>
!${alarm(t, form)}
!${action(form, 'confirm')}
!${fields(t, [codeField(t)], form)}
<button>${t('account.second_factor.setup.button')}</button></form>`
}

/** Recovery codes are shown once, and can be saved, printed or copied without any script. */
function recoveryCodes(t: Translator, codes: string[]): Html {
  const text = `${t('account.second_factor.codes.file')}\n\n${codes.join('\n')}\n`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
  return html`<h2>${t('account.second_factor.codes.title')}</h2>
<p>${t('account.second_factor.codes.text')}</p>
<ul class="codes">!${codes.map((code) => html`<li>${code}</li>`).join('')}</ul>
<div class="buttons"><a class="button" href="/account/second-factor">${t('account.second_factor.codes.kept')}</a>
<a class="button quiet" download="licet-recovery-codes.txt" href="${file}">${t('account.second_factor.codes.save')}</a></div>`
}
