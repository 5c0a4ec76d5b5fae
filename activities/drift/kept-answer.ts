import { type Exchanged, type Fixture, fixtureOf } from '../record-fixture.ts'
import { shapeOf } from './shape.ts'

/** Longer answers are shortened. */
const MOST_CHARACTERS = 64 * 1024
/** Elements of a list that are kept of a long answer, each of another shape. */
const MOST_ELEMENTS = 10

/** A recording of an answer without keys. Of a long one a few elements of each list are kept, or its beginning. */
export function keptAnswer(exchanged: Exchanged): Fixture {
  const fixture = fixtureOf(exchanged)
  if (fixture.text.length <= MOST_CHARACTERS) return fixture
  return { ...fixture, text: shortText(fixture.text).slice(0, MOST_CHARACTERS) }
}

function shortText(text: string): string {
  try {
    return JSON.stringify(shorten(JSON.parse(text)))
  } catch {
    return text
  }
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    const byShape = new Map(value.map((one) => [JSON.stringify(shapeOf(one)), one as unknown]))
    return [...byShape.values()].slice(0, MOST_ELEMENTS).map(shorten)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one)]))
}
