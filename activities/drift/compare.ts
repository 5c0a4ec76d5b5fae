import { type Field, fieldOf, merge, mergeField, moreMissing, type Shape, withMissing } from './shape.ts'

/** Steps from the root: names of fields, `[]` for elements, `*` for values of a map. */
export type Path = readonly string[]

/** How answers differ from the shape that is known. */
export interface Difference {
  path: Path
  change: 'appeared' | 'vanished' | 'type'
  /** types; null: the field was or is not there */
  was: string | null
  is: string | null
  /** of the value that came; null: none came */
  shape: Shape | null
}

interface Comparison {
  /** The known shape with what an answer may vary in. */
  shape: Shape
  differences: Difference[]
}

/**
 * Compares an answer with the known shape. Not a difference: what is null or missing in some of the objects of the
 * answer only, and what comes where there was only null, no object or no element so far.
 */
export function compare(known: Shape, answer: Shape): Comparison {
  const differences: Difference[] = []

  function walk(was: Shape, is: Shape, path: Path): Shape {
    if (isOther(was, is)) {
      differences.push({ path, change: 'type', was: kindsOf(was), is: kindsOf(is), shape: is })
      return was
    }
    const { kinds } = merge({ kinds: was.kinds }, { kinds: is.kinds })
    const items = was.items && is.items ? walk(was.items, is.items, [...path, '[]']) : (was.items ?? is.items)
    const common = { kinds, ...(items && { items }) }
    if (was.values ?? is.values) {
      const [wasMap, isMap] = [asMap(was), asMap(is)]
      const values =
        wasMap && isMap && was.values ? walk(wasMap, isMap, [...path, '*']) : mergeAny(wasMap, isMap)
      return values ? { ...common, values } : common
    }
    const fields =
      was.fields && is.fields ? walkFields(was.fields, is.fields, path) : (was.fields ?? is.fields)
    return fields ? { ...common, fields } : common
  }

  function walkFields(
    was: Record<string, Field>,
    is: Record<string, Field>,
    path: Path,
  ): Record<string, Field> {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
    const fields = names.map((name) => [
      name,
      walkField(fieldOf(was, name), fieldOf(is, name), [...path, name]),
    ])
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined)) as Record<string, Field>
  }

  function walkField(was: Field | undefined, is: Field | undefined, path: Path): Field | undefined {
    if (was && is) return withMissing(walk(was.shape, is.shape, path), moreMissing(was, is))
    if (is) differences.push({ path, change: 'appeared', was: null, is: kindsOf(is.shape), shape: is.shape })
    else if (was!.missing !== 'everywhere')
      differences.push({ path, change: 'vanished', was: kindsOf(was!.shape), is: null, shape: null })
    return was
  }

  return { shape: walk(known, answer, []), differences }
}

/** Whether an answer has types that were never there. null counts only where nothing else came. */
function isOther(was: Shape, is: Shape): boolean {
  const isOnlyNull = (shape: Shape) => shape.kinds.every((kind) => kind === 'null')
  if (isOnlyNull(was)) return false
  return is.kinds.some((kind) => !was.kinds.includes(kind) && (kind !== 'null' || isOnlyNull(is)))
}

const kindsOf = ({ kinds }: Shape): string => kinds.join(' or ')

/** What an object has, whatever its keys. */
function asMap({ values, fields }: Shape): Shape | undefined {
  const shapes = [...(values ? [values] : []), ...Object.values(fields ?? {}).map(({ shape }) => shape)]
  return shapes.length > 0 ? shapes.reduce(merge) : undefined
}

const mergeAny = (a: Shape | undefined, b: Shape | undefined) => (a && b ? merge(a, b) : (a ?? b))

/** The shape that may differ in this from now on: a field that came or went may be missing. */
export function allow(shape: Shape, difference: Pick<Difference, 'path' | 'change' | 'shape'>): Shape {
  const { path, change, shape: came } = difference
  const [step, ...rest] = path
  if (step === undefined) return came ? merge(shape, came) : shape
  const child = childOf(shape, step)
  const below = child && allow(child, { path: rest, change, shape: came })
  if (step === '[]') return below ? { ...shape, items: below } : shape
  if (step === '*') return below ? { ...shape, values: below } : shape
  const { fields } = shape
  if (!fields) return shape
  const known = fieldOf(fields, step)
  const isHere = rest.length === 0 && change !== 'type'
  const field = isHere
    ? mergeField(known, came ? { shape: came } : undefined)
    : known && { ...known, shape: below! }
  if (!field) return shape
  // merge() makes a map of what has too many fields by then.
  return merge({ ...shape, fields: { ...fields, ...Object.fromEntries([[step, field]]) } }, { kinds: [] })
}

/** Whether an answer has the place where a difference would be: its object, or of a type the value. */
export function hasPlace(answer: Shape, { path, change }: Pick<Difference, 'path' | 'change'>): boolean {
  let at: Shape | undefined = answer
  for (const step of path.slice(0, change === 'type' ? undefined : -1)) at = at && childOf(at, step)
  return change === 'type' ? at !== undefined : at?.fields !== undefined
}

function childOf({ items, values, fields }: Shape, step: string): Shape | undefined {
  if (step === '[]') return items
  if (step === '*') return values
  return fields && fieldOf(fields, step)?.shape
}

/** For people: `data[].quotes.*.price`. */
export const pathText = (path: Path): string =>
  path.map((step, i) => (step === '[]' || i === 0 ? step : `.${step}`)).join('') || 'the whole answer'
