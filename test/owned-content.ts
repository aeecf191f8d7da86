import { aLicense, aPrice, aProduct, type Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'
import { aLoginToken } from './login-tokens.ts'
import { aBuyer, anOrder } from './orders.ts'
import { upload } from './uploads.ts'
import { type Visitor, visit } from './visitor.ts'

export type OwnedFile = { bytes: Buffer; name: string; role?: string; language?: string }

/** Something that a customer has bought, with its files. */
export async function ownedContent(
  service: Service,
  shop: Shop,
  {
    files,
    terms = {},
    product = {},
    customer,
  }: { files: OwnedFile[]; terms?: object; product?: object; customer?: Wire },
) {
  const license = await aLicense(service, shop, { name: 'License', ...terms })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const price_license_binding = [{ license_id: license.id, price_id: price.id }]
  const sold = await aProduct(shop, { title: 'Tern Island', published: true, ...product, price_license_binding })
  const uploaded: Wire[] = []
  for (const { bytes, ...about } of files) uploaded.push(await upload(service, shop, sold, bytes, about))
  const buyer = customer ?? (await aBuyer(shop))
  await anOrder(shop, buyer, [{ product_id: sold.product_id, quantity: 1 }])
  const { content } = (await shop.get(`/api/customers/${buyer.token}/content.json`)).body
  const owned = content.find(({ product_id }: Wire) => product_id === sold.product_id)
  return { customer: buyer, id: owned.id as number, product: sold, files: uploaded }
}

/** The path at which a customer comes in who was signed in by the site of the shop owner. */
export async function loginPath(service: Service, shop: Shop, base: string, { token }: Wire): Promise<string> {
  return `/api/customers/login/${base.split('/').at(-1)}/${await aLoginToken(service, shop, { token })}`
}

/** A browser without script in which the customer is signed in. */
export async function enterShop(
  service: Service,
  shop: Shop,
  base: string,
  customer: Wire,
  headers: Record<string, string> = {},
): Promise<Visitor> {
  const visitor = visit(service.url, { 'sec-fetch-site': 'same-origin', ...headers })
  await visitor.get(await loginPath(service, shop, base, customer))
  return visitor
}
