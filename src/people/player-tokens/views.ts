import { html } from 'ghtml'
import { alarm, csrfField, type FormState, fields } from '#platform/pages/form.ts'
import { address, type Html, initial, name, tile, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { type Translator, translatorOf } from '#platform/text/messages.ts'

/** The names on every page of the prompt, and its language. */
export type Scene = { language: string; appName: string; ownerName: string; shopName: string; redirectHost: string }

/** A page of the shop, because the customer knows the shop and not the service. */
function shopPage({ language }: Translator, shopName: string, title: string, content: Html): Html {
  return wholePage({
    title: `${title} · ${shopName}`,
    language,
    icon: letterIcon(initial(shopName)),
    frame: 'narrow',
    body: html`<header class="top"><div class="brand">!${tile(shopName)}!${name(shopName)}</div></header>
<main>
<div class="card consent">!${content}</div>
</main>`,
  })
}

/** No message has a `<` or `&`, so that names can be inserted as HTML. */
const strong = (text: string) => html`<strong>!${name(text)}</strong>`

function request(t: Translator, { appName, ownerName, shopName }: Scene): Html {
  return html`<div class="row">!${tile(appName)}<div class="grow"><h1>!${t('pages.app_access.prompt.title', { app: name(appName) })}</h1>
<p class="faint">!${t('pages.app_access.prompt.maker', { company: name(ownerName) })}</p></div></div>
<p>!${t('pages.app_access.prompt.asks', { app: strong(appName), shop: strong(shopName) })}</p>
<p>${t('pages.app_access.prompt.can')}</p>`
}

/** A native app has no host: its redirect URI uses a scheme of its own. */
function ending(t: Translator, { redirectHost, shopName }: Scene): Html {
  const place = html`${redirectHost.endsWith(':') ? t('pages.app_access.prompt.this_device') : redirectHost}`
  const back = t('pages.app_access.prompt.back', { place })
  return html`<p class="faint after">!${back} !${t('pages.app_access.prompt.until', { shop: name(shopName) })}</p>`
}

export type SignInForm = FormState & { scene: Scene; query: string; email: string }

/** Asks for the password and for the permission in one step: nobody stays signed in. */
export function signInPage(form: SignInForm): Html {
  const { scene, query, email } = form
  const t = translatorOf(scene.language)
  const list = [
    {
      name: 'email',
      label: t('pages.app_access.prompt.email'),
      type: 'email',
      autocomplete: 'username',
      value: email,
      first: email === '',
    },
    {
      name: 'password',
      label: t('pages.app_access.prompt.password'),
      type: 'password',
      autocomplete: 'current-password',
      first: email !== '',
    },
  ] as const
  const title = t('pages.app_access.prompt.title', { app: scene.appName })
  return shopPage(
    t,
    scene.shopName,
    form.alarm === undefined ? title : `${t('pages.app_access.error')}: ${title}`,
    html`!${request(t, scene)}
<p>${t('pages.app_access.prompt.sign_in')}</p>
!${alarm(t, form)}
<form method="post" action="/oauth2/player?${query}">
!${csrfField(form)}
!${fields(t, list, form)}
<div class="pair"><button name="decision" value="allow">${t('pages.app_access.prompt.allow_signing_in')}</button>
<button name="decision" value="deny" class="quiet" formnovalidate>${t('pages.app_access.prompt.deny')}</button></div>
<button name="decision" value="link" class="link" formnovalidate>${t('pages.app_access.prompt.send_link')}</button>
</form>
!${ending(t, scene)}`,
  )
}

export type LinkForm = FormState & { scene: Scene; token: string; email: string }

/** For a customer who has followed a link. */
export function linkPage({ scene, token, email, ...form }: LinkForm): Html {
  const t = translatorOf(scene.language)
  return shopPage(
    t,
    scene.shopName,
    t('pages.app_access.prompt.title', { app: scene.appName }),
    html`!${request(t, scene)}
<p>!${t('pages.app_access.prompt.signed_in', { email: html`<strong>!${address(email)}</strong>` })}</p>
<form method="post" action="/oauth2/player/${token}">
!${csrfField(form)}
<div class="pair"><button name="decision" value="allow">${t('pages.app_access.prompt.allow')}</button>
<button name="decision" value="deny" class="quiet">${t('pages.app_access.prompt.deny')}</button></div>
</form>
!${ending(t, scene)}`,
  )
}

/** The same for an address that is known and one that is not. */
export function mailedPage({ language, shopName }: Scene, email: string): Html {
  const t = translatorOf(language)
  const title = t('pages.app_access.mailed.title')
  const names = { email: html`<strong>!${address(email)}</strong>`, shop: name(shopName) }
  const sent = html`<p>!${t('pages.app_access.mailed.text', names)}</p>`
  const hint = html`<p class="faint">${t('pages.app_access.mailed.hint')}</p>`
  return shopPage(t, shopName, title, html`<h1>${title}</h1>!${sent}!${hint}`)
}

/** For a link that was used, has ended, or never existed: the page does not tell which. */
export function voidPage(language: string): Html {
  const t = translatorOf(language)
  const title = t('pages.app_access.void.title')
  return wholePage({
    title,
    language: t.language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${title}</h1>
<p class="lead">${t('pages.app_access.void.text')}</p></main>`,
  })
}
