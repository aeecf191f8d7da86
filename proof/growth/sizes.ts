/** How many of each a platform has. */
export type Size = { companies: number; products: number; orders: number; entitlements: number }

/** What one company has. It grows evenly, so that what was there first looks like what comes later. */
export type PerCompany = { products: number; customers: number; orders: number; entitlements: number }

export const WHOLE: Size = { companies: 1000, products: 1_000_000, orders: 10_000_000, entitlements: 50_000_000 }
export const TINY: Size = { companies: 4, products: 400, orders: 2000, entitlements: 10_000 }

const ORDERS_PER_CUSTOMER = 10
/** The first of them is what everything else is compared with. */
export const TENTHS = 10

/** The part of the whole, with no fewer than one product and one customer in every tenth of a company. */
export function partOf({ companies, ...amounts }: Size, percent: number): Size {
  const part = (amount: number, least: number) =>
    Math.max(Math.round((amount * percent) / 100), companies * TENTHS * least)
  return {
    companies,
    products: part(amounts.products, 1),
    orders: part(amounts.orders, ORDERS_PER_CUSTOMER),
    entitlements: part(amounts.entitlements, ORDERS_PER_CUSTOMER),
  }
}

/** What each company has after so many tenths. */
export function afterTenths({ companies, products, orders, entitlements }: Size, tenths: number): PerCompany {
  const each = (amount: number) => Math.floor((amount * tenths) / TENTHS / companies)
  return {
    products: each(products),
    customers: Math.ceil(each(orders) / ORDERS_PER_CUSTOMER),
    orders: each(orders),
    entitlements: each(entitlements),
  }
}
