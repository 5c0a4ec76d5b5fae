import { z } from 'zod'
import type { HttpClient } from '../../activities/http-client.ts'

/** Which fields of its double's answers an adapter reads, by source. */
export interface FieldReads {
  /** The same client, whose answers are watched. */
  wrap: (http: HttpClient) => HttpClient
  /** Fields that answers have and nobody read, and fields that were read and no answer has. */
  lists: () => Record<string, { unread: string[]; absent: string[] }>
}

/** Names that JavaScript and the schemas ask of every object. */
const OF_LANGUAGE = new Set(['constructor', 'prototype', 'then', 'toJSON', 'length', '__proto__'])

/** Ids, amounts, symbols and addresses as names of fields are one field. */
const IS_NAME = /^[a-zA-Z_]+(\d{1,3}[a-zA-Z_]+)*\d{0,3}$/
const nameOf = (key: string, siblings: number): string => (IS_NAME.test(key) && siblings <= 60 ? key : '*')

/**
 * Watches JSON answers of sources on their way into the schemas of adapters: whatever a schema asks for, a proxy notes.
 * What an adapter takes whole counts as read with all that is in it, once it reads one field of it.
 */
export function createFieldReads(): FieldReads {
  const has = new Map<string, Set<string>>()
  const read = new Map<string, Set<string>>()
  const of = (map: typeof has, source: string) => {
    const known = map.get(source) ?? new Set<string>()
    map.set(source, known)
    return known
  }

  function note(value: unknown, path: string, into: Set<string>): void {
    if (Array.isArray(value)) for (const one of value) note(one, `${path}[]`, into)
    else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value)
      for (const key of keys) {
        const place = placeOf(path, nameOf(key, keys.length))
        into.add(place)
        note((value as Record<string, unknown>)[key], place, into)
      }
    }
  }

  function watched(value: unknown, path: string, into: Set<string>): unknown {
    if (typeof value !== 'object' || value === null) return value
    const keys = Array.isArray(value) ? 0 : Object.keys(value).length
    return new Proxy(value, {
      get(target, key, self) {
        const found: unknown = Reflect.get(target, key, self)
        if (typeof key === 'symbol' || typeof found === 'function' || OF_LANGUAGE.has(key)) return found
        const place = Array.isArray(target) ? `${path}[]` : placeOf(path, nameOf(key, keys))
        if (!Array.isArray(target)) into.add(place)
        return watched(found, place, into)
      },
      has(target, key) {
        if (typeof key === 'string' && !Array.isArray(target)) into.add(placeOf(path, nameOf(key, keys)))
        return Reflect.has(target, key)
      },
    })
  }

  return {
    wrap: (http) => ({
      ...http,
      fetchJson: async (request) =>
        await http.fetchJson({
          ...request,
          ...(request.refuse && {
            refuse: (body: unknown) => request.refuse!(watched(body, '', of(read, request.source))),
          }),
          schema: z.preprocess((body) => {
            note(body, '', of(has, request.source))
            return watched(body, '', of(read, request.source))
          }, request.schema) as typeof request.schema,
        }),
    }),
    lists: () =>
      Object.fromEntries(
        [...has.keys()].sort().map((source) => {
          const [given, asked] = [of(has, source), of(read, source)]
          const isWithin = (all: ReadonlySet<string>, place: string) =>
            [...all].some((one) => place.startsWith(`${one}.`) || place.startsWith(`${one}[`))
          const unread = new Set([...given].filter((place) => !asked.has(place)))
          const absent = new Set([...asked].filter((place) => !given.has(place)))
          return [
            source,
            {
              unread: [...unread].filter((place) => !isWithin(unread, place)).sort(),
              absent: [...absent].filter((place) => !isWithin(absent, place)).sort(),
            },
          ]
        }),
      ),
  }
}

const placeOf = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
