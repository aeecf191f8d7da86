/** Where the services of others are that the program calls. Tests put servers of their own in their place. */
export type ServiceUrls = {
  /** The APIs of payment gateways, by the keys of the gateways. */
  gateways: Readonly<Record<string, string>>
  /** The REST API of VIES; empty: VAT ids are never looked up. */
  vies: string
}
