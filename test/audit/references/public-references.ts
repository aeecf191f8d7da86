import type { NamedCompany } from './named-company.ts'

const product = ({ sold }: NamedCompany) => sold.product_id
const code = ({ redemptionCode }: NamedCompany) => redemptionCode
const file = ({ things }: NamedCompany) => String(things.file.id)

/** What customers can send with the forms of a shop that refers to something of its company: the form, the field, its value. */
export const FORM_REFERENCES: Record<string, (company: NamedCompany) => string> = {
  'POST /cart product_id': product,
  'POST /cart chosen_product_id': product,
  'POST /cart license_id': ({ things }) => String(things.license.id),
  'POST /cart/discount code': ({ discountCodes }) => discountCodes[0],
  'POST /my-content/open product_id': product,
  'POST /my-content/redeem code': code,
  'POST /my-content/:id/download file_id': file,
  'POST /my-content/:id/heartbeat file': file,
  'POST /my-content/:id/leave file': file,
  'POST /my-content/:id/play file': file,
  'POST /my-content/:id/progress file': file,
  'POST /my-content/:id/read file': file,
  'POST /my-content/:id/reading file_id': file,
}

const ACCOUNT = 'customers have one account on the whole platform, whichever shop they use'
const ANY = 'any address can be written down'
const OWN_LICENSE = 'it is looked for among the licenses of what the one who sends it owns'
const CREDENTIAL = 'whoever has it is let in by it: it is of the one who sends it'

/** What else is sent without a token or the session of a user, and why it is of no other company. */
export const PUBLIC_REFERENCES: Record<string, string> = {
  'POST /account/email email': ACCOUNT,
  'POST /my-content/:id/reading-apps/remove license_id': OWN_LICENSE,
  'POST /my-content/:id/return license_id': OWN_LICENSE,
  'POST /account/sessions/end key': 'it is looked for among the sessions of the one who sends it',
  'POST /api/keys/activate.json activation.key': CREDENTIAL,
  'POST /api/keys/deactivate.json activation.key': CREDENTIAL,
  'POST /api/keys/validate.json activation.key': CREDENTIAL,
  'POST /checkout email': ACCOUNT,
  'POST /checkout gift_email': ANY,
  'POST /checkout vat_id': 'a number of the tax office',
  'POST /memberships/:group/join email': ACCOUNT,
  'POST /memberships/:group/join vat_id': 'a number of the tax office',
  'POST /first-run/:token email': ANY,
  'POST /gifts/:token email': ACCOUNT,
  'POST /login email': ACCOUNT,
  'POST /cancellation email': ANY,
  'POST /newsletter email': ANY,
  'POST /oauth2/player email': ACCOUNT,
  'POST /oauth2/revoke client_id': CREDENTIAL,
  'POST /oauth2/revoke client_secret': CREDENTIAL,
  'POST /oauth2/revoke token': CREDENTIAL,
  'POST /register email': ACCOUNT,
  'POST /reset email': ACCOUNT,
  'POST /sign-in email': CREDENTIAL,
  'POST /sign-in/second-factor code': CREDENTIAL,
  'POST /token client_id': CREDENTIAL,
  'POST /token client_secret': CREDENTIAL,
  'POST /token code': CREDENTIAL,
  'POST /token company_id': 'the company of a login token, which its secret has signed',
  'POST /token login_token': CREDENTIAL,
  'POST /token refresh_token': CREDENTIAL,
  'POST /token theme_setting_id': 'the shop of a login token, which the secret of its company has signed',
  'POST /withdrawal email': ANY,
}
