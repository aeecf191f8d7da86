import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ShopAddresses } from '#catalog/theme-settings/state.ts'
import { destinationOf, moveTo, placeAt, placesOf } from './rules.ts'

const BASE_URL = 'https://shops.example.com'
const shop: ShopAddresses = {
  company_id: 1000,
  id: 1001,
  frame_origins: [],
  hosts: { sub_domain: '1001', shop_domain: 'shop.example.com' },
}
const places = placesOf(shop, BASE_URL)
const library = placesOf({ ...shop, hosts: { ...shop.hosts, access_domain: 'my.example.com' } }, BASE_URL)

describe('the page that a login leads to', () => {
  const OWN: [string | undefined, string][] = [
    [undefined, '/shop/1001/my-content'],
    ['/products/1?a=b#c', '/shop/1001/products/1?a=b#c'],
    ['products/1', '/shop/1001/products/1'],
    ['/shop/1001', '/shop/1001'],
    ['/shop/1001/products/1', '/shop/1001/products/1'],
    ['?embedded=1', '/shop/1001/?embedded=1'],
    ['https://shops.example.com/shop/1001/?embedded=1', '/shop/1001/?embedded=1'],
    // Everything else leads to My Content.
    ['https://shops.example.com/shop/1002/', '/shop/1001/my-content'],
    ['https://shops.example.com/shop/10011', '/shop/1001/my-content'],
    ['https://shops.example.com/account', '/shop/1001/my-content'],
    ['../../account', '/shop/1001/my-content'],
    ['/shop/1001/../../account', '/shop/1001/my-content'],
    ['https://evil.example/', '/shop/1001/my-content'],
    ['https://shops.example.com@evil.example/shop/1001/', '/shop/1001/my-content'],
    ['https://me:you@shops.example.com/shop/1001/', '/shop/1001/my-content'],
    ['//evil.example/shop/1001/', '/shop/1001/my-content'],
    ['/\\evil.example', '/shop/1001/my-content'],
    ['\\\\evil.example', '/shop/1001/my-content'],
    ['https://shops.example.com/shop/1001//evil.example/x', '/shop/1001/my-content'],
    ['/shop/1001/\\evil.example/x', '/shop/1001/my-content'],
    ['javascript:alert(1)', '/shop/1001/my-content'],
    ['https://', '/shop/1001/my-content'],
  ]
  for (const [returnTo, path] of OWN) {
    test(`is ${path} for ${returnTo} on the host of the service`, () =>
      assert.deepEqual(destinationOf(returnTo, places.own, places), { place: places.own, path }))
  }

  const HOST: [string | undefined, string][] = [
    [undefined, '/my-content'],
    ['/products/1', '/products/1'],
    ['https://shop.example.com/?embedded=1', '/?embedded=1'],
    ['HTTP://SHOP.example.com:8080/a', '/a'],
    ['https://shop.example.com//evil.example/', '/my-content'],
    ['https://shop.example.com/.//evil.example/', '/my-content'],
    ['//evil.example/', '/my-content'],
    ['https://shop.example.com.evil.example/', '/my-content'],
  ]
  for (const [returnTo, path] of HOST) {
    test(`is ${path} for ${returnTo} on the host of the shop`, () =>
      assert.deepEqual(destinationOf(returnTo, places.home, places), { place: places.home, path }))
  }

  test('may lie at another address of the shop', () => {
    const there = destinationOf('https://1001.shops.example.com/a', places.own, places)
    assert.deepEqual(there, { place: { origin: 'https://1001.shops.example.com', base: '' }, path: '/a' })
    assert.deepEqual(moveTo(places.own, there), { place: places.own, path: '/shop/1001/a' })
    for (const [page, path] of [
      ['/shop/1001', '/'],
      ['/shop/1001?embedded=1', '/?embedded=1'],
    ] as const)
      assert.equal(moveTo(places.home, destinationOf(`${BASE_URL}${page}`, places.own, places)).path, path)
  })

  test('lies at the domain of the shop, or that of My Content, for somebody from elsewhere', () => {
    assert.equal(destinationOf(undefined, undefined, places).place.origin, 'https://shop.example.com')
    assert.equal(destinationOf(undefined, undefined, library).place.origin, 'https://my.example.com')
    assert.equal(destinationOf('/a', undefined, library).place.origin, 'https://shop.example.com')
  })
})

test('an address of a shop is known by its host', () => {
  assert.equal(placeAt(places, '127.0.0.1:3000', BASE_URL), places.own)
  assert.equal(placeAt(places, 'shops.example.com', BASE_URL), places.own)
  assert.equal(placeAt(places, 'Shop.Example.com.:8080', BASE_URL)?.origin, 'https://shop.example.com')
  assert.equal(placeAt(places, '1001.shops.example.com', BASE_URL)?.origin, 'https://1001.shops.example.com')
  assert.equal(placeAt(places, 'other.example.com', BASE_URL), undefined)
})
