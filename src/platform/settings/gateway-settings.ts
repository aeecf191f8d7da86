import { type TSchema, Type } from 'typebox'

/** The addresses of the APIs of payment gateways, by the keys of the gateways. */
export type GatewayUrls = Readonly<Record<string, string>>

const settingOf = (gateway: string) => `LICET_${gateway.toUpperCase()}_URL`

/** A setting for the address of each gateway that the program knows. */
export function gatewaySettings(urls: GatewayUrls): Record<string, TSchema> {
  const settings = Object.entries(urls).map(([gateway, url]) => {
    const title = `${gateway.charAt(0).toUpperCase()}${gateway.slice(1)}`
    const description = `Address of the API of ${title}. Only tests need another one.`
    return [settingOf(gateway), Type.String({ default: url, format: 'http-url', description })]
  })
  return Object.fromEntries(settings)
}

/** The addresses as they are set. */
export function readGatewayUrls(raw: Readonly<Record<string, unknown>>, urls: GatewayUrls): GatewayUrls {
  return Object.fromEntries(Object.keys(urls).map((gateway) => [gateway, String(raw[settingOf(gateway)])]))
}
