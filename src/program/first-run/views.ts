import { html } from 'ghtml'
import { emailField, PASSWORD } from '#identity/sign-in/views.ts'
import { alarm, csrfField, type Field, type FormState, groupedFields } from '#platform/pages/form.ts'
import { type Html, layout } from '#platform/pages/layout.ts'
import type { Reader } from '#platform/pages/reader.ts'
import type { Translator } from '#platform/text/messages.ts'
import { countryChoices, currencyChoices } from './choices.present.ts'

/** What was typed, but for the password. */
export type Typed = { company_name: string; country: string; currency: string; email: string }

export type FirstRunForm = FormState & { token: string; typed: Typed }

function shopFields(t: Translator, { company_name, country, currency }: Typed): Field[] {
  return [
    {
      name: 'company_name',
      label: t('account.first_run.shop_name'),
      value: company_name,
      autocomplete: 'organization',
      first: true,
    },
    {
      name: 'country',
      label: t('account.fields.country'),
      value: country,
      autocomplete: 'country',
      hint: t('account.first_run.country_hint'),
      options: countryChoices(t.language),
      half: true,
    },
    {
      name: 'currency',
      label: t('account.first_run.currency'),
      value: currency,
      autocomplete: 'transaction-currency',
      hint: t('account.first_run.currency_hint'),
      options: currencyChoices(t.language),
      unchosen: t('account.first_run.currency_of_country'),
      half: true,
    },
  ]
}

/** The password is typed twice, because it is hidden while it is typed. */
function ownerFields(t: Translator, { email }: Typed): Field[] {
  const [label, hint] = [t('account.first_run.email'), t('account.first_run.email_hint')]
  return [
    { ...emailField(t), label, hint, value: email },
    {
      ...PASSWORD,
      name: 'password',
      label: t('account.first_run.password'),
      hint: t('account.fields.new_password_hint'),
    },
    { ...PASSWORD, name: 'password_confirmation', label: t('account.first_run.password_again') },
  ]
}

export function firstRunPage({ t }: Reader, form: FirstRunForm): Html {
  const title = t('account.first_run.title')
  const steps = (['owner', 'address', 'home'] as const).map(
    (step) =>
      html`<li><span><strong>${t(`account.first_run.next.${step}`)}</strong> ${t(`account.first_run.next.${step}_text`)}</span></li>`,
  )
  return layout({
    t,
    title,
    form,
    main: html`<div class="card"><h1>${title}</h1>
<p class="faint">${t('account.first_run.text')}</p>
!${alarm(t, form)}
<form method="post" action="/first-run/${form.token}">
!${csrfField(form)}
!${groupedFields(t, [shopFields(t, form.typed), ownerFields(t, form.typed)], form)}
<button class="full">${t('account.first_run.button')}</button>
</form>
<section class="next"><h2>${t('account.first_run.next.title')}</h2>
<ol>!${steps.join('')}</ol></section></div>
<p class="note hint">${t('account.first_run.once')}</p>`,
  })
}

export function notSetUpPage({ t }: Reader): Html {
  const title = t('account.first_run.not_yet.title')
  const main = html`<div class="card"><h1>${title}</h1>
<p>${t('account.first_run.not_yet.text')}</p></div>`
  return layout({ t, title, main })
}
