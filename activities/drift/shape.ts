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
  /** Some objects do not have it. */
  optional?: true
}

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
  const common = { kinds: union(a.kinds, b.kinds), ...(items && { items }) }
  const fields = both(a.fields, b.fields, mergeFields)
  const isMap = a.values !== undefined || b.values !== undefined
  if (!isMap && (!fields || Object.keys(fields).length <= MOST_FIELDS))
    return fields ? { ...common, fields } : common
  const inFields = Object.values(fields ?? {}).map(({ shape }) => shape)
  const known = [a.values, b.values].filter((values) => values !== undefined)
  return { ...common, values: [...known, ...inFields].reduce(merge) }
}

/** Fields of two objects. A field that one of them does not have is optional. */
function mergeFields(a: Record<string, Field>, b: Record<string, Field>): Record<string, Field> {
  const names = union(Object.keys(a), Object.keys(b))
  return Object.fromEntries(names.map((name) => [name, mergeField(fieldOf(a, name), fieldOf(b, name))!]))
}

/** undefined: the object does not have it. */
export function mergeField(a: Field | undefined, b: Field | undefined): Field | undefined {
  const shape = both(a?.shape, b?.shape, merge)
  if (!shape) return undefined
  return a && b && !a.optional && !b.optional ? { shape } : { shape, optional: true }
}

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

/** The shape of a parsed JSON value. */
export function shapeOf(value: unknown): Shape {
  let left = MOST_VALUES

  function joined(values: readonly unknown[], depth: number): Shape | undefined {
    let shape: Shape | undefined
    for (const one of values) {
      if (shape && left <= 0) break
      shape = shape ? merge(shape, visit(one, depth)) : visit(one, depth)
    }
    return shape
  }

  function visit(one: unknown, depth: number): Shape {
    left--
    const kinds = [kindOf(one)]
    if (typeof one !== 'object' || one === null || depth === DEEPEST) return { kinds }
    if (Array.isArray(one)) {
      const items = joined(one, depth + 1)
      return items ? { kinds, items } : { kinds }
    }
    const names = Object.keys(one).sort()
    const read = (name: string) => (one as Record<string, unknown>)[name]
    if (names.length > MOST_FIELDS || names.some(isId))
      return { kinds, values: joined(names.map(read), depth + 1)! }
    const fieldFor = (name: string): Field => ({
      shape: FREE_FORM.has(name) ? { kinds: [kindOf(read(name))] } : visit(read(name), depth + 1),
    })
    return { kinds, fields: Object.fromEntries(names.map((name) => [name, fieldFor(name)])) }
  }

  return visit(value, 0)
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
  return !FIELD_NAME.test(key) || CODE.test(key) || key.length > LONGEST_NAME || isHash(key)
}
