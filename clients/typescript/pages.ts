import type { Paths } from './api-types.ts'
import type { Answer, Data, InputOf, PathOf, SluiceClient } from './sluice-client.ts'

type QueryOf<P extends keyof Paths> = Paths[P] extends { get: { parameters: { query?: infer Query } } }
  ? Query
  : never

/** An item of a list. */
export type ItemOf<P extends PathOf<'get'>> =
  Data<'get', P> extends (infer Item)[]
    ? Item
    : Data<'get', P> extends { result: (infer Item)[] }
      ? Item
      : Data<'get', P> extends { data?: (infer Item)[] }
        ? Item
        : never

/** Lists with pages, by number or after an event. */
export type PagedPath = {
  [P in PathOf<'get'>]: ('page' | 'after') & keyof QueryOf<P> extends never
    ? never
    : [ItemOf<P>] extends [never]
      ? never
      : P
}[PathOf<'get'>]

/** The API's, of every list. */
const DEFAULT_LIMIT = 20

/**
 * Every item of a list, page after page: `for await (const coin of eachItem(client, '/coins', { params: { query: { limit:
 * 1000 } } }))`. It starts at `page`, or with events at `after`, and asks for a page when the one before is used up, so
 * ending the loop ends the calls. Rows that arrive meanwhile may shift the others by one.
 */
export async function* eachItem<P extends PagedPath>(
  client: Pick<SluiceClient, 'GET'>,
  path: P,
  ...[input]: InputOf<'get', P>
): AsyncGenerator<ItemOf<P>, void, undefined> {
  const { params = {}, ...others } = (input ?? {}) as { params?: { query?: Place } }
  // PagedPath has only paths that take a place.
  const get = client.GET as unknown as (path: P, input: unknown) => Promise<Answer<Page<ItemOf<P>>>>
  let query: Place = { ...params.query }
  for (;;) {
    const { data } = await get(path, { ...others, params: { ...params, query } })
    const { items, hasNextPage, next } = read(data, query)
    yield* items
    if (!hasNextPage) return
    query = next
  }
}

interface Place {
  page?: number
  after?: string
  limit?: number
}

type Page<Item> =
  | Item[]
  | { result?: Item[]; data?: Item[]; meta?: { hasNextPage?: boolean; next?: string | null } }

/** A list that does not say whether a page follows ends with one that is not full. */
function read<Item>(page: Page<Item>, query: Place) {
  const { result, data, meta = {} } = Array.isArray(page) ? { result: page } : page
  const items = result ?? data ?? []
  const { hasNextPage = items.length >= (query.limit ?? DEFAULT_LIMIT), next } = meta
  return {
    items,
    hasNextPage,
    next: typeof next === 'string' ? { ...query, after: next } : { ...query, page: (query.page ?? 1) + 1 },
  }
}
