import type { BarePage, RefusedForm } from '#shop/site/pages.site.ts'

export type LoginPage = RefusedForm & {
  /** What was typed. */
  form: {
    email: string
    /** The page to which the customer returns. */
    return_to: string
  }
  /** Does the visitor come from a mail about an order, whose address is filled in? */
  is_from_mail?: boolean
}

export type RegisterPage = RefusedForm & {
  /** What was typed. */
  form: { email: string; first_name: string; last_name: string }
}

export type ResetPage = RefusedForm & {
  /** What was typed. */
  form: { email: string }
}

export type MailedLinkPage = {
  /** Whom the link was mailed to. */
  email: string
  /** The secret of the link, for the address of the form. */
  token: string
}

export type MailSentPage = {
  /** Where the mail goes, if the address is known. */
  email: string
}

export type LinkInvalidPage = BarePage

export type RegisterPasswordPage = MailedLinkPage & Pick<RefusedForm, 'errors'>

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The form with which customers sign in. */
    login: LoginPage
    /** What a mailed link that signs in leads to. */
    'login-link': MailedLinkPage
    /** A link that is unknown, used or expired. */
    'link-invalid': LinkInvalidPage
    /** A mail is on its way. */
    'mail-sent': MailSentPage
    /** The form with which customers sign up. */
    register: RegisterPage
    /** The last step of signing up. */
    'register-password': RegisterPasswordPage
    /** The form that asks for a mail with which to choose another password. */
    reset: ResetPage
  }
}
