/** Summary of JSON values: which fields there are, and of which types. It holds no values and no ids. */
export interface Shape {
  /** JSON types that were seen, in order; of an answer that is no JSON its media type. */
  kinds: string[]
  /** Of objects. */
  fields?: Record<string, Field>
  /** Of objects whose keys are ids: all their values together, in place of fields. */
  values?: Shape
  /** Of arrays: all their elements together. */
  items?: Shape
}

export interface Field {
  shape: Shape
  /** Where it may be missing: some objects of an answer do not have it, or in some answers none has it. Absent: nowhere. */
  missing?: Missing
}

export type Missing = 'somewhere' | 'everywhere'

/** Fields of one object. An object with more is a map. */
const MOST_FIELDS = 100
/** Deeper values are not looked into. */
const DEEPEST = 12
/** Values of one answer that are looked at. Of each array and map at least one is. */
const MOST_VALUES = 50_000
/** Holds whatever somebody else wrote, such as the author of a token. */
const FREE_FORM = new Set(['metadata'])

/** The union of the shapes of all answers of one operation grows by this: it is a join of a semilattice. */
export function merge(a: Shape, b: Shape): Shape {
  if (a === b) return a
  const items = both(a.items, b.items, merge)
  const fields = both(a.fields, b.fields, mergeFields)
  const values = both(a.values, b.values, merge)
  return withObjects({ kinds: union(a.kinds, b.kinds), ...(items && { items }) }, { fields, values })
}

/** Objects with fields and maps at one place are all maps, as are objects with many fields. */
function withObjects(
  shape: Shape,
  { fields, values }: { fields?: Record<string, Field> | undefined; values?: Shape | undefined },
): Shape {
  if (!fields) return values ? { ...shape, values } : shape
  if (!values && Object.keys(fields).length <= MOST_FIELDS) return { ...shape, fields }
  const inFields = Object.values(fields).map((field) => field.shape)
  return { ...shape, values: [...(values ? [values] : []), ...inFields].reduce(merge) }
}

/** Fields of two answers. One that only one of them has is missing everywhere in the other. */
function mergeFields(a: Record<string, Field>, b: Record<string, Field>): Record<string, Field> {
  const names = union(Object.keys(a), Object.keys(b))
  return Object.fromEntries(names.map((name) => [name, mergeField(fieldOf(a, name), fieldOf(b, name))!]))
}

/** undefined: the object does not have it. */
export function mergeField(a: Field | undefined, b: Field | undefined): Field | undefined {
  const shape = both(a?.shape, b?.shape, merge)
  if (!shape) return undefined
  return withMissing(shape, a && b ? moreMissing(a, b) : 'everywhere')
}

export const withMissing = (shape: Shape, missing: Missing | undefined): Field =>
  missing ? { shape, missing } : { shape }

export const moreMissing = (a: Field, b: Field): Missing | undefined =>
  [a.missing, b.missing].includes('everywhere') ? 'everywhere' : (a.missing ?? b.missing)

/** Fields have names of sources, such as `constructor`. */
export const fieldOf = (fields: Record<string, Field>, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

const both = <T>(a: T | undefined, b: T | undefined, join: (a: T, b: T) => T): T | undefined =>
  a !== undefined && b !== undefined ? join(a, b) : (a ?? b)

/** In order. The lists are in order already. */
function union(a: string[], b: string[]): string[] {
  if (a.length === b.length && a.every((one, i) => one === b[i])) return a
  return [...new Set([...a, ...b])].sort()
}

/** Values at one place of an answer, while they are counted. */
interface Tally {
  kinds: Set<string>
  objects: number
  /** With the number of objects that have it. */
  fields: Map<string, { tally: Tally; objects: number }>
  values: Tally | null
  items: Tally | null
}

const newTally = (): Tally => ({ kinds: new Set(), objects: 0, fields: new Map(), values: null, items: null })

/** The shape of a parsed JSON value. */
export function shapeOf(value: unknown): Shape {
  let left = MOST_VALUES

  function add(tally: Tally, one: unknown, depth: number): void {
    left--
    tally.kinds.add(kindOf(one))
    if (typeof one !== 'object' || one === null || depth === DEEPEST) return
    if (Array.isArray(one)) {
      if (one.length > 0) addAll((tally.items ??= newTally()), one, depth + 1)
      return
    }
    const names = Object.keys(one)
    if (names.length > MOST_FIELDS || names.some(isId))
      return addAll((tally.values ??= newTally()), Object.values(one), depth + 1)
    tally.objects++
    for (const name of names) addField(tally, name, (one as Record<string, unknown>)[name], depth + 1)
  }

  function addAll(tally: Tally, values: readonly unknown[], depth: number): void {
    for (const one of values) {
      if (left <= 0 && tally.kinds.size > 0) return
      add(tally, one, depth)
    }
  }

  function addField({ fields }: Tally, name: string, one: unknown, depth: number): void {
    let field = fields.get(name)
    if (!field) fields.set(name, (field = { tally: newTally(), objects: 0 }))
    field.objects++
    add(field.tally, one, FREE_FORM.has(name) ? DEEPEST : depth)
  }

  const whole = newTally()
  add(whole, value, 0)
  return shapeOfTally(whole)
}

function shapeOfTally({ kinds, objects, fields, values, items }: Tally): Shape {
  const shape = { kinds: [...kinds].sort(), ...(items && { items: shapeOfTally(items) }) }
  const found = [...fields].map(([name, field]): [string, Field] => [
    name,
    withMissing(shapeOfTally(field.tally), field.objects < objects ? 'somewhere' : undefined),
  ])
  return withObjects(shape, {
    ...(objects > 0 && { fields: Object.fromEntries(found) }),
    ...(values && { values: shapeOfTally(values) }),
  })
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** snake_case or camelCase. */
const FIELD_NAME = /^[a-z_$@][a-z0-9_$@]*$/i
const CODE = /^[A-Z0-9]{3,}$/
const LONGEST_NAME = 40
/** A long word with digits all over it: an address, a hash or a key. */
const isHash = (text: string) =>
  text.length >= 20 && !text.includes('_') && text.replaceAll(/\D/g, '').length >= 3

/** Whether the key of an object is an id, such as an address, a coin or a currency, and not the name of a field. */
function isId(key: string): boolean {
  const known = knownKeys.get(key)
  if (known !== undefined) return known
  const found = !FIELD_NAME.test(key) || CODE.test(key) || key.length > LONGEST_NAME || isHash(key)
  if (knownKeys.size >= MOST_KNOWN_KEYS) knownKeys.clear()
  knownKeys.set(key, found)
  return found
}

/** Whether keys that were seen are ids: the same few names come again and again. */
const knownKeys = new Map<string, boolean>()
const MOST_KNOWN_KEYS = 5_000
