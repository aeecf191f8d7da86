import { type Command, InvalidArgumentError } from 'commander'
import { createShippingMethod, deleteShippingMethod } from '#selling/shipping-methods/commands.ts'
import { presentShippingMethod } from '#selling/shipping-methods/present.ts'
import { readShippingMethods } from '#selling/shipping-methods/queries.ts'
import type { ShippingMethod } from '#selling/shipping-methods/schema.ts'
import { plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { change, group, type Options, ofCompany, read } from './terms.ts'

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const position = wholeNumber(0, 1_000_000)
const gather = (text: string, all: string[] = []) => [...all, text]

const costOf = ({ price_id, weight_rates }: ShippingMethod) =>
  weight_rates.length > 0 ? 'by weight' : (price_id ?? 'free')

function shippingInWords(method: ShippingMethod): string {
  const { id: methodId, title, countries, position: place } = method
  const where = countries.length === 0 ? 'everywhere' : countries.join(', ')
  const cost = costOf(method)
  return `${methodId}  ${title}: ${where}, ${typeof cost === 'number' ? `price ${cost}` : cost}, position ${place}`
}

type Days = { delivery_days_min: number; delivery_days_max: number }

/** Days, as `3` or `2-4`. */
function readDays(text: string): Days {
  const [, min = '', max = min] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? []
  if (min === '') throw new InvalidArgumentError('It must be a number of days, or two as in 2-4.')
  return { delivery_days_min: Number(min), delivery_days_max: Number(max) }
}

type NewMethod = Options & { title: string; price?: number; country?: string[]; position?: number; days?: Days }

export function addShipping(program: Command, terminal: Terminal): void {
  const shipping = group(program, 'shipping', 'Shipping methods.')

  ofCompany(shipping, 'create', 'Create a shipping method.')
    .requiredOption('--title <text>', 'name that customers see')
    .option('--price <id>', 'price model of what it costs; free if absent', id)
    .option('--country <name...>', 'countries that it ships to; everywhere if absent', gather)
    .option('--position <number>', 'the lowest is tried first; last if absent', position)
    .option('--days <number>', 'days until the goods arrive, such as 3 or 2-4', readDays)
    .action(async ({ company, json, title, price, country, position: place, days }: NewMethod) => {
      const input = {
        title,
        ...(price === undefined ? {} : { price_id: price }),
        ...(country === undefined ? {} : { countries: country }),
        ...(place === undefined ? {} : { position: place }),
        ...days,
      }
      const { state } = await change(terminal, company, (tx, author, now) =>
        createShippingMethod(tx, author, input, now),
      )
      const shipping_method = presentShippingMethod(state)
      print(terminal, json, { shipping_method }, plain(`${shippingInWords(shipping_method)}.`))
    })

  ofCompany(shipping, 'list', 'List the shipping methods of a company, in the order in which they are tried.').action(
    async ({ company, json }: Options) => {
      const rows = await read(terminal, company, (db) => readShippingMethods(db, company))
      const shipping_methods = rows.map(presentShippingMethod)
      const text = table(shipping_methods, 'The company has no shipping methods.', {
        Id: ({ id: methodId }) => methodId,
        Title: ({ title }) => title,
        Position: ({ position: place }) => place,
        Price: costOf,
        Days: ({ delivery_days_min: min, delivery_days_max: max }) =>
          min === max ? (min ?? '') : `${min ?? ''}-${max ?? ''}`,
        Countries: ({ countries }) => countries.join(', ') || 'everywhere',
      })
      print(terminal, json, { shipping_methods }, text)
    },
  )

  ofCompany(shipping, 'end', 'Delete a shipping method. Orders that exist keep it.')
    .argument('<id>', 'id of the shipping method', id)
    .action(async (methodId: number, { company, json }: Options) => {
      await change(terminal, company, (tx, author, now) => deleteShippingMethod(tx, author, String(methodId), now))
      print(terminal, json, { ended: true }, 'The shipping method is deleted.')
    })
}
