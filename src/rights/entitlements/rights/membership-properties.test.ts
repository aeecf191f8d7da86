import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, BOUGHT, FILM, HOUR, later, rights } from '#test/rights.ts'
import { explain } from './explain.rules.ts'
import { afterAction, decide, HOLD_MS, NO_USAGE, remainingOf } from './rules.ts'
import type { Action, Ask, Membership, Rights, Terms, Usage } from './state.ts'

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

type Random = ReturnType<typeof sequence>
const ACTIONS: Action[] = ['play', 'play', 'download', 'export', 'burn']
const DAY = 24 * HOUR

/** A member, a group and what it includes, as their tables have them. */
type World = {
  /** Of each member; in a sharing group there are several, who are counted together since the group exists. */
  members: { joined: Date; from: Date | null; until: Date | null; isIn: boolean }[]
  countedFrom: Date[]
  group: { isValid: boolean; terms: Partial<Terms> }
  products: { isIn: boolean; from: Date | null; until: Date | null; released: Date | null }[]
}

/** Everything that was allowed, in its order. The model knows nothing else of the past. */
type Event = { at: Date; action: Action; device: string | null; member: number; product: number; limits: Limits }
type Limits = { isHeld: boolean; isCounted: boolean }

const someTerms = (random: Random): Partial<Terms> => {
  const count = () => [-1, -1, 1, 2, 5][random(5)] ?? -1
  return {
    valid: random(15) === 0 ? 0 : 1,
    drm: random(4) === 0 ? 0 : 1,
    allow_play: random(8) === 0 ? 0 : 1,
    total_downloads: count(),
    annual_downloads: count(),
    total_export: count(),
    annual_export: count(),
    burn_play: count(),
    export_pdf_print: 0,
    total_concurrent_devices: count(),
    annual_concurrent_devices: count(),
    expiration_date: random(8) === 0 ? later(20_000 + random(20_000)) : null,
    expire_after_acquisition: random(4) === 0 ? 500 + random(500) : 0,
    expire_after_acquisition_mode: 1,
    expire_after_first_use: random(4) === 0 ? 2000 : 0,
    expire_after_first_use_mode: 0,
  }
}

const someTime = (random: Random, now: Date, hours: number) =>
  random(3) > 0 ? null : new Date(now.getTime() + (random(2 * hours) - hours) * HOUR)

function someWorld(random: Random): World {
  const isSharing = random(2) === 0
  const members = Array.from({ length: isSharing ? 3 : 1 }, () => ({
    joined: later(-random(9000)),
    from: null,
    until: null,
    isIn: true,
  }))
  const products = Array.from({ length: 3 }, () => ({
    isIn: true,
    from: null,
    until: null,
    released: random(3) === 0 ? later(random(6000)) : null,
  }))
  const countedFrom = members.map(({ joined }) => (isSharing ? later(-9999) : joined))
  return { members, countedFrom, group: { isValid: true, terms: someTerms(random) }, products }
}

/** Somebody changes something: the group, its license, a member or a product. */
function change(world: World, random: Random, now: Date): void {
  const member = world.members[random(world.members.length)]
  const product = world.products[random(world.products.length)]
  assert.ok(member && product)
  const changes = [
    () => (world.group.isValid = random(3) > 0),
    () => (world.group.terms = someTerms(random)),
    () => (member.isIn = random(3) > 0),
    () => (member.from = someTime(random, now, 200)),
    () => (member.until = someTime(random, now, 2000)),
    () => (product.isIn = random(3) > 0),
    () => (product.from = someTime(random, now, 200)),
    () => (product.until = someTime(random, now, 2000)),
  ]
  changes[random(changes.length)]?.()
}

const isUnlimited = (count: number) => count === -1

/** The day on which a year of a membership begins, from the day on which it is counted. */
function yearStart(from: Date, now: Date): Date {
  const day = new Date(Math.floor(from.getTime() / DAY) * DAY)
  let start = day
  for (let year = 1; ; year += 1) {
    const [y, m, d] = [day.getUTCFullYear() + year, day.getUTCMonth(), day.getUTCDate()]
    const lastOfMonth = new Date(Date.UTC(y, m + 1, 0)).getUTCDate()
    const next = new Date(Date.UTC(y, m, Math.min(d, lastOfMonth)))
    if (next > now) return start
    start = next
  }
}

const limitsUnder = (terms: Terms): Limits => ({
  isHeld:
    terms.drm === 1 && !(isUnlimited(terms.total_concurrent_devices) && isUnlimited(terms.annual_concurrent_devices)),
  isCounted: terms.drm === 1 && !isUnlimited(terms.annual_concurrent_devices),
})

/** What a member may do, worked out from what is written down and from what has happened. */
function modelled(world: World, at: [member: number, product: number], asked: Ask, past: Event[], now: Date): string {
  const [memberAt, productAt] = at
  const [member, product] = [world.members[memberAt], world.products[productAt]]
  assert.ok(member && product)
  const { terms } = rights(world.group.terms)
  const isOver = (time: Date | null) => time !== null && time.getTime() <= now.getTime()
  const isAhead = (time: Date | null) => time !== null && time.getTime() > now.getTime()
  if (terms.valid === 0) return 'license_invalid'
  if (!world.group.isValid) return 'group_closed'
  if (!member.isIn || isOver(member.until)) return 'membership_ended'
  if (isAhead(member.from)) return 'membership_not_started'
  if (!product.isIn || isOver(product.until)) return 'no_longer_in_group'
  if (isAhead(product.from)) return 'not_in_group_yet'
  if (isAhead(product.released)) return 'not_released'
  const begin = Math.max(member.joined.getTime(), product.released?.getTime() ?? 0)
  const own = past.find((event) => event.member === memberAt && event.product === productAt)
  const ends = [
    terms.expiration_date?.getTime(),
    terms.expire_after_acquisition > 0 ? begin + terms.expire_after_acquisition * DAY : undefined,
    own && terms.expire_after_first_use > 0 ? own.at.getTime() + terms.expire_after_first_use * HOUR : undefined,
  ]
  if (ends.some((end) => end !== undefined && end <= now.getTime())) return 'expired'
  const { action, device } = asked
  if (action === 'play' && terms.drm === 1 && terms.allow_play === 0) return 'play_not_allowed'
  const { isHeld, isCounted } = limitsUnder(terms)
  const year = yearStart(world.countedFrom[memberAt] ?? BOUGHT, now)
  const thisYear = past.filter((event) => event.at >= year)
  const onDevices = (events: Event[]) => new Set(events.flatMap((event) => (event.device === null ? [] : event.device)))
  if ((action === 'play' || action === 'download') && isHeld) {
    if (device === null && action === 'play') return 'device_required'
    if (device !== null) {
      const held = past.filter((event) => event.limits.isHeld && event.at.getTime() + HOLD_MS > now.getTime())
      const others = onDevices(held.filter((event) => event.device !== device.id))
      const total = terms.total_concurrent_devices
      if (!isUnlimited(total) && others.size >= total) return 'device_limit'
      const known = onDevices(thisYear.filter((event) => event.limits.isCounted))
      if (isCounted && !known.has(device.id) && known.size >= terms.annual_concurrent_devices)
        return 'annual_device_limit'
    }
  }
  const times = (events: Event[]) => events.filter((event) => event.action === action).length
  const isUsedUp = (limit: number, events: Event[]) => !isUnlimited(limit) && times(events) >= limit
  if (action === 'download' && isUsedUp(terms.total_downloads, past)) return 'downloads_used_up'
  if (action === 'download' && isUsedUp(terms.annual_downloads, thisYear)) return 'annual_downloads_used_up'
  if (terms.drm === 0) return 'allowed'
  if (action === 'export' && isUsedUp(terms.total_export, past)) return 'exports_used_up'
  if (action === 'export' && isUsedUp(terms.annual_export, thisYear)) return 'annual_exports_used_up'
  return action === 'burn' && isUsedUp(terms.burn_play, past) ? 'burns_used_up' : 'allowed'
}

/** The rights that the service makes of the same: the terms of the group, and one usage for everything. */
function rightsIn(
  world: World,
  [memberAt, productAt]: [number, number],
  usage: Usage,
  firstUse: Date | undefined,
): Rights {
  const [member, product] = [world.members[memberAt], world.products[productAt]]
  assert.ok(member && product)
  const membership: Membership = {
    is_valid: world.group.isValid,
    is_member: member.isIn,
    counted_from: world.countedFrom[memberAt] ?? null,
    starts_at: member.from,
    ends_at: member.until,
    is_included: product.isIn,
    opens_at: product.from,
    closes_at: product.until,
  }
  return rights(world.group.terms, {
    product_type: FILM,
    acquired_at: member.joined,
    released_at: product.released,
    first_used_at: firstUse ?? null,
    usage,
    membership,
  })
}

test('whatever members do with whatever a group includes, the engine decides as a simple model of it does', () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= 600; seed += 1) {
    const random = sequence(seed)
    const world = someWorld(random)
    const past: Event[] = []
    const firstUses = new Map<string, Date>()
    let usage = NO_USAGE
    let now = BOUGHT
    for (let step = 0; step < 80; step += 1) {
      now = new Date(now.getTime() + (random(4) === 0 ? random(900) * HOUR : random(12) * 60_000))
      if (random(6) === 0) change(world, random, now)
      const at: [number, number] = [random(world.members.length), random(world.products.length)]
      const asked = ask(ACTIONS[random(ACTIONS.length)] ?? 'play', {
        device: random(6) === 0 ? null : { id: `device ${random(4)}`, last_client_time: null },
      })
      const before = rightsIn(world, at, usage, firstUses.get(at.join()))
      const code = decide(before, asked, now)
      const where = `seed ${seed}, step ${step}: ${asked.action} on ${asked.device?.id}`
      assert.equal(code, modelled(world, at, asked, past, now), where)
      const refused = explain(before, asked, now).find(({ refusal }) => refusal !== null)
      assert.equal(refused?.refusal ?? 'allowed', code, `${where}: the explanation says something else`)
      seen.set(code, (seen.get(code) ?? 0) + 1)
      const after = afterAction(before, asked, code, now, new Date(now.getTime() + HOLD_MS))
      if (code !== 'allowed') {
        assert.deepEqual(after.usage, usage, `${where}: a refusal counted something`)
        continue
      }
      const { downloads } = remainingOf(before, now)
      if (asked.action === 'download') assert.ok(downloads === null || downloads > 0, where)
      if (!firstUses.has(at.join())) firstUses.set(at.join(), now)
      const [member, product] = at
      const isOnDevice = asked.action === 'play' || asked.action === 'download'
      const device = isOnDevice ? (asked.device?.id ?? null) : null
      past.push({ at: now, action: asked.action, device, member, product, limits: limitsUnder(before.terms) })
      usage = after.usage
    }
  }
  // A run that never gets to a rule has not tested it.
  const few = [...REACHED].filter((code) => (seen.get(code) ?? 0) < 20)
  assert.deepEqual(few, [], JSON.stringify(Object.fromEntries(seen)))
})

const REACHED = [
  'allowed',
  'license_invalid',
  'group_closed',
  'membership_ended',
  'membership_not_started',
  'no_longer_in_group',
  'not_in_group_yet',
  'not_released',
  'expired',
  'play_not_allowed',
  'device_required',
  'device_limit',
  'annual_device_limit',
  'downloads_used_up',
  'annual_downloads_used_up',
  'exports_used_up',
  'annual_exports_used_up',
  'burns_used_up',
]
