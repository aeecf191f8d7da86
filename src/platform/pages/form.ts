import { html } from 'ghtml'
import type { Translator } from '../text/messages.ts'
import type { Html } from './layout.ts'

/** The CSRF token of a form, and the errors of the values that were sent before. */
export type FormState = { csrf: string; mistakes?: Record<string, string>; alarm?: string }

/** The errors of a form. */
type Wrong = Pick<FormState, 'mistakes' | 'alarm'>

export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  hint?: string
  autocomplete: string
  /** Makes the field a choice of these values instead of a text field. */
  options?: { value: string; text: string }[]
  /** The text of the empty option, for a choice that may stay open. */
  unchosen?: string
  /** The cursor starts in this field. */
  first?: boolean
  /** Two half-width fields stand side by side where there is room. */
  half?: true
  readonly?: true
  numeric?: true
  lengthMin?: number
  /** Prefix of the id, for pages on which two forms have a field of the same name. */
  id?: string
}

const ALARM = 'alarm'
const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined || value === '' ? '' : html` ${name}="${String(value)}"`

/** The field that has the cursor when the page opens: the first one with an error, so that the error is read out. */
function focusedOf(list: readonly Field[], { mistakes = {} }: Wrong): Field | undefined {
  return list.find(({ name }) => mistakes[name] !== undefined) ?? list.find(({ first }) => first === true)
}

function fieldsWith(t: Translator, list: readonly Field[], wrong: Wrong, focused: Field | undefined): Html {
  return html`<div class="fields">!${list.map((each) => field(t, each, wrong, each === focused)).join('')}</div>`
}

/** Fields one below another. */
export function fields(t: Translator, list: readonly Field[], wrong: Wrong): Html {
  return fieldsWith(t, list, wrong, focusedOf(list, wrong))
}

/** Fields in groups with a line between them, and one cursor for all of them. */
export function groupedFields(t: Translator, groups: readonly (readonly Field[])[], wrong: Wrong): Html {
  const focused = focusedOf(groups.flat(), wrong)
  return groups.map((list) => html`<div class="group">!${fieldsWith(t, list, wrong, focused)}</div>`).join('')
}

/** A labelled field, with its hint and its error where a screen reader finds them. */
function field(t: Translator, each: Field, { mistakes = {}, alarm }: Wrong, isFocused: boolean): Html {
  const { name, label, hint, options, id = name } = each
  const mistake = mistakes[name]
  const describedBy = [
    hint === undefined ? '' : `${id}-hint`,
    mistake === undefined ? '' : `${id}-mistake`,
    isFocused && mistake === undefined && alarm !== undefined ? ALARM : '',
  ].filter((part) => part !== '')
  const common = [
    attribute('id', id),
    attribute('name', name),
    attribute('autocomplete', each.autocomplete),
    attribute('aria-describedby', describedBy.join(' ')),
    mistake === undefined ? '' : ' aria-invalid="true"',
    isFocused ? ' autofocus' : '',
    each.readonly ? ' readonly' : each.unchosen === undefined ? ' required' : '',
  ].join('')
  return html`<div class="${each.half ? 'field half' : 'field'}">
<label for="${id}">${label}</label>
!${options === undefined ? input(each, common) : select(t, each, options, common)}
!${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
!${mistake === undefined ? '' : html`<p class="mistake" id="${id}-mistake">${mistake}</p>`}
</div>`
}

function input({ type = 'text', value, numeric, lengthMin, autocomplete }: Field, common: Html): Html {
  const isProse = /name|organization/.test(autocomplete) && autocomplete !== 'username'
  const more = [
    attribute('value', value),
    attribute('minlength', lengthMin),
    numeric ? ' inputmode="numeric"' : '',
    isProse ? '' : ' autocapitalize="none" spellcheck="false"',
  ].join('')
  return html`<input type="${type}"!${common}!${more}>`
}

/** A choice without a default has no selected option. */
function select(
  t: Translator,
  { value = '', unchosen = t('account.form.choose') }: Field,
  options: NonNullable<Field['options']>,
  common: Html,
): Html {
  const all = [{ value: '', text: unchosen }, ...options].map(
    (each) => html`<option value="${each.value}"!${each.value === value ? ' selected' : ''}>${each.text}</option>`,
  )
  return html`<select!${common}>!${all.join('')}</select>`
}

export type Checkbox = { name: string; label: string; hint: string; isChecked: boolean }

/** A choice of yes or no, which the form sends only when it is ticked. */
export function checkbox({ name, label, hint, isChecked }: Checkbox): Html {
  return html`<div class="fields"><div class="field"><label class="choice" for="${name}"><input type="checkbox" id="${name}" name="${name}" value="1" aria-describedby="${name}-hint"!${
    isChecked ? ' checked' : ''
  }> ${label}</label>
<p class="hint" id="${name}-hint">${hint}</p></div></div>`
}

/** Shows the errors of the form, also to screen readers. */
export function alarm(t: Translator, { mistakes = {}, alarm: text }: Wrong): Html {
  const count = Object.keys(mistakes).length
  if (text === undefined && count === 0) return ''
  return html`<p class="alarm" id="${ALARM}" role="alert">${text ?? t('account.form.marked', { count })}</p>`
}

export function notice(text: string | undefined): Html {
  return text === undefined ? '' : html`<p class="notice" role="status">${text}</p>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** The hidden CSRF field: it shows that the form came from our own page. */
export function csrfField({ csrf }: Pick<FormState, 'csrf'>): Html {
  return hidden('_csrf', csrf)
}

/** Tells a password manager which account the password belongs to, where the page does not show it. */
export function hiddenUsername(email: string): Html {
  return html`<input hidden type="text" name="username" autocomplete="username" value="${email}">`
}
