import { Type } from 'typebox'
import { LOGIN_TOKEN_MAX } from '#people/customers/login-tokens/schema.ts'
import { Text } from '#platform/wire/schema.ts'

const ID_LENGTH_MAX = 20

/** What the exchange of a login token takes besides the parameters of every exchange. */
export const LoginGrantParameters = {
  login_token: Type.Optional(
    Text(LOGIN_TOKEN_MAX, 'With `login_token`: the pre-authenticated login token of a customer. It works once.'),
  ),
  theme_setting_id: Type.Optional(
    Text(ID_LENGTH_MAX, 'With `login_token`: the shop of the customer. 0: the first one of the company.', ['1000']),
  ),
  company_id: Type.Optional(
    Text(ID_LENGTH_MAX, 'With `login_token`, in place of `theme_setting_id`. Without both: the company of the app.'),
  ),
}
