import { OAuthError } from '#apps/oauth/errors.ts'
import { addTokens } from '#apps/oauth/exchange/commands.ts'
import type { ExtensionGrant } from '#apps/oauth/exchange/extensions.commands.ts'
import { createLogin } from '#people/customers/login-tokens/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { grantPlayer } from './commands.ts'
import { LoginGrantParameters } from './login-grant.schema.ts'
import { findShop } from './queries.ts'
import { mayAskCustomers, PLAYER_SCOPES } from './rules.ts'

/** RFC 6749, 4.5: the grant type of an extension is a URI. The short name is understood too. */
export const LOGIN_TOKEN_GRANT = 'urn:licet:oauth:grant-type:login-token'

/** Exchanges a login token, which the site of the shop owner made, for tokens that act for its customer. */
export const loginTokenGrant: ExtensionGrant = {
  grantTypes: [LOGIN_TOKEN_GRANT, 'login_token'],
  parameters: LoginGrantParameters,
  create(dependencies) {
    const login = createLogin(dependencies)
    const { db, clock } = dependencies
    return async ({ app, parameters, address, acceptLanguage }) => {
      if (!parameters.login_token) throw new OAuthError('invalid_request', 'login_token is missing')
      if (!mayAskCustomers(app))
        throw new OAuthError('unauthorized_client', 'the app is not registered for the scope player')
      const { company_id: companyId, theme_setting_id: themeSettingId } = parameters
      const shop = await findShop(db, app, { companyId, themeSettingId })
      if (shop === undefined) throw new OAuthError('invalid_request', 'there is no such company_id or theme_setting_id')
      const request = { companyId: shop.company.id, text: parameters.login_token, address, acceptLanguage }
      const entry = await login(request, async (tx, { account }) => {
        const grant = await grantPlayer(
          tx,
          { app, companyId: shop.company.id, customerId: account.id },
          nowInSeconds(clock),
        )
        const tokens = await addTokens(tx, grant, PLAYER_SCOPES, nowInSeconds(clock))
        return { ...tokens, email: account.email, customerToken: account.token }
      })
      return entry.kind === 'refused' ? entry : entry.result
    }
  },
}
