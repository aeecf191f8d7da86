export type TreeItem = { id: number; parent_id: number; position: number }

/** Something in a tree, with how deep it lies. */
export type Branch<Item extends TreeItem> = { item: Item; depth: number }

/** Where something is put: below which parent, 0 for the top, and at which place among its children without itself. */
export type Place = { parent: number; position: number }

/** Everything in the order of the screen. What hangs on something that is not there stands at the top. */
export function branchesOf<Item extends TreeItem>(items: readonly Item[]): Branch<Item>[] {
  const known = new Set(items.map(({ id }) => id))
  const children = Map.groupBy(items, ({ parent_id }) => (known.has(parent_id) ? parent_id : 0))
  const below = (parent: number, depth: number): Branch<Item>[] =>
    (children.get(parent) ?? [])
      .toSorted((one, other) => one.position - other.position || one.id - other.id)
      .flatMap((item) => [{ item, depth }, ...below(item.id, depth + 1)])
  return below(0, 0)
}

type Rows = readonly Branch<TreeItem>[]

/** The place of a row, and how many rows below belong to it. */
function spanOf(rows: Rows, id: number): { at: number; length: number; depth: number } {
  const at = rows.findIndex(({ item }) => item.id === id)
  const depth = rows[at]?.depth ?? 0
  const end = rows.findIndex((row, place) => place > at && row.depth <= depth)
  return { at, length: (end < 0 ? rows.length : end) - at, depth }
}

/** The parent of a row at a place and a depth: the nearest row above that is one less deep. */
function parentAt(rows: Rows, at: number, depth: number): number {
  return rows.slice(0, at).findLast((row) => row.depth === depth - 1)?.item.id ?? 0
}

/** How many rows of that depth stand above a place, below the same parent. */
function positionAt(rows: Rows, at: number, depth: number): number {
  const above = rows.slice(0, at)
  const parent = above.findLastIndex((row) => row.depth < depth)
  return above.slice(parent + 1).filter((row) => row.depth === depth).length
}

/** A finger that goes so far to the right moves one step in. */
const STEP_PX = 24

/** Where a dragged row would go: before the row with the number `line`, and in or out by how far it was dragged sideways. */
export function droppedAt(
  rows: Rows,
  id: number,
  line: number,
  sidewaysPx: number,
): { place: Place | undefined; depth: number } {
  const { at, length, depth: from } = spanOf(rows, id)
  const rest = rows.toSpliced(at, length)
  const to = line <= at ? line : Math.max(at, line - length)
  const deepest = to === 0 ? 0 : (rest[to - 1]?.depth ?? 0) + 1
  const shallowest = rest[to]?.depth ?? 0
  const wanted = from + Math.round(sidewaysPx / STEP_PX)
  const depth = Math.max(shallowest, Math.min(deepest, wanted))
  return { place: { parent: parentAt(rest, to, depth), position: positionAt(rest, to, depth) }, depth }
}

/** Where an arrow key moves a row: up and down among its siblings, out of its parent, or into the sibling above. */
export function steppedTo(rows: Rows, id: number, key: string): Place | undefined {
  const item = rows.find((row) => row.item.id === id)?.item
  if (item === undefined) return undefined
  const siblingsOf = (parent: number) => rows.filter((row) => row.item.parent_id === parent).map((row) => row.item.id)
  const siblings = siblingsOf(item.parent_id)
  const position = siblings.indexOf(id)
  if (key === 'ArrowUp') return position > 0 ? { parent: item.parent_id, position: position - 1 } : undefined
  if (key === 'ArrowDown')
    return position < siblings.length - 1 ? { parent: item.parent_id, position: position + 1 } : undefined
  if (key === 'ArrowRight') {
    const above = siblings[position - 1]
    return above === undefined ? undefined : { parent: above, position: siblingsOf(above).length }
  }
  const parent = rows.find((row) => row.item.id === item.parent_id)?.item
  if (key !== 'ArrowLeft' || parent === undefined) return undefined
  return { parent: parent.parent_id, position: siblingsOf(parent.parent_id).indexOf(parent.id) + 1 }
}

/** Is it another place than the one where it is? */
export function canMove(rows: Rows, id: number, place: Place): boolean {
  const item = rows.find((row) => row.item.id === id)?.item
  if (item === undefined) return false
  const siblings = rows.filter((row) => row.item.parent_id === item.parent_id)
  return item.parent_id !== place.parent || siblings.findIndex((row) => row.item.id === id) !== place.position
}

/** The items after a move, as the service numbers them. */
export function moved<Item extends TreeItem>(items: readonly Item[], id: number, { parent, position }: Place): Item[] {
  const item = items.find((each) => each.id === id)
  if (item === undefined) return [...items]
  const siblings = items
    .filter((each) => each.parent_id === parent && each.id !== id)
    .toSorted((one, other) => one.position - other.position || one.id - other.id)
    .toSpliced(position, 0, item)
  const places = new Map(siblings.map((each, place) => [each.id, place]))
  return items.map((each) => {
    const place = places.get(each.id)
    return place === undefined ? each : { ...each, position: place, ...(each.id === id ? { parent_id: parent } : {}) }
  })
}
