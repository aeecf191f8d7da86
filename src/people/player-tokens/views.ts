import { html } from 'ghtml'
import { alarm, csrfField, type FormState, fields } from '#platform/pages/form.ts'
import { address, type Html, initial, name, tile, wholePage } from '#platform/pages/layout.ts'
import { letterIcon } from '#platform/pages/mark.ts'
import { playerWords, type Words } from './words.ts'

/** The names on every page of the prompt, and its language. */
export type Scene = { language: string; appName: string; ownerName: string; shopName: string; redirectHost: string }

/** A page of the shop, because the customer knows the shop and not the service. */
function shopPage(words: Words, shopName: string, title: string, content: Html): Html {
  return wholePage({
    title: `${title} · ${shopName}`,
    language: words.language,
    icon: letterIcon(initial(shopName)),
    frame: 'narrow',
    body: html`<header class="top"><div class="brand">!${tile(shopName)}!${name(shopName)}</div></header>
<main>
<div class="card consent">!${content}</div>
</main>`,
  })
}

const strong = (text: string) => html`<strong>!${name(text)}</strong>`

function request(words: Words, { appName, ownerName, shopName }: Scene): Html {
  const { prompt } = words
  return html`<div class="row">!${tile(appName)}<div class="grow"><h1>!${prompt.title(name(appName))}</h1>
<p class="faint">!${prompt.maker(name(ownerName))}</p></div></div>
<p>!${prompt.asks(strong(appName), strong(shopName))}</p>
<p>${prompt.can}</p>`
}

/** A native app has no host: its redirect URI uses a scheme of its own. */
function ending(words: Words, { redirectHost, shopName }: Scene): Html {
  const { back, thisDevice, until } = words.prompt
  const place = redirectHost.endsWith(':') ? html`${thisDevice}` : html`${redirectHost}`
  return html`<p class="faint after">!${back(place)} !${until(name(shopName))}</p>`
}

export type SignInForm = FormState & { scene: Scene; query: string; email: string }

/** Asks for the password and for the permission in one step: nobody stays signed in. */
export function signInPage(form: SignInForm): Html {
  const { scene, query, email } = form
  const words = playerWords(scene.language)
  const { prompt } = words
  const list = [
    {
      name: 'email',
      label: prompt.email,
      type: 'email',
      autocomplete: 'username',
      value: email,
      first: email === '',
    },
    {
      name: 'password',
      label: prompt.password,
      type: 'password',
      autocomplete: 'current-password',
      first: email !== '',
    },
  ] as const
  const title = prompt.title(scene.appName)
  return shopPage(
    words,
    scene.shopName,
    form.alarm === undefined ? title : `${words.error}: ${title}`,
    html`!${request(words, scene)}
<p>${prompt.signIn}</p>
!${alarm(form)}
<form method="post" action="/oauth2/player?${query}">
!${csrfField(form)}
!${fields(list, form)}
<div class="pair"><button name="decision" value="allow">${prompt.allowSigningIn}</button>
<button name="decision" value="deny" class="quiet" formnovalidate>${prompt.deny}</button></div>
<button name="decision" value="link" class="link" formnovalidate>${prompt.sendLink}</button>
</form>
!${ending(words, scene)}`,
  )
}

export type LinkForm = FormState & { scene: Scene; token: string; email: string }

/** For a customer who has followed a link. */
export function linkPage({ scene, token, email, ...form }: LinkForm): Html {
  const words = playerWords(scene.language)
  const { prompt } = words
  return shopPage(
    words,
    scene.shopName,
    prompt.title(scene.appName),
    html`!${request(words, scene)}
<p>!${prompt.signedIn(html`<strong>!${address(email)}</strong>`)}</p>
<form method="post" action="/oauth2/player/${token}">
!${csrfField(form)}
<div class="pair"><button name="decision" value="allow">${prompt.allow}</button>
<button name="decision" value="deny" class="quiet">${prompt.deny}</button></div>
</form>
!${ending(words, scene)}`,
  )
}

/** The same for an address that is known and one that is not. */
export function mailedPage({ language, shopName }: Scene, email: string): Html {
  const words = playerWords(language)
  const { title, text, hint } = words.mailed
  const sent = text(html`<strong>!${address(email)}</strong>`, name(shopName))
  return shopPage(words, shopName, title, html`<h1>${title}</h1><p>!${sent}</p><p class="faint">${hint}</p>`)
}

/** For a link that was used, has ended, or never existed: the page does not tell which. */
export function voidPage(language: string): Html {
  const words = playerWords(language)
  const { title, text } = words.void
  return wholePage({
    title,
    language: words.language,
    icon: letterIcon('?'),
    frame: 'poster',
    body: html`<main><span class="tile" aria-hidden="true">?</span>
<h1>${title}</h1>
<p class="lead">${text}</p></main>`,
  })
}
