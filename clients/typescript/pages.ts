import type { Answer, Data, InputOf, PathOf, SluiceClient } from './sluice-client.ts'

/** Lists that say whether there is another page. */
export type PagedPath = {
  [P in PathOf<'get'>]: Data<'get', P> extends { meta: { hasNextPage: boolean } } ? P : never
}[PathOf<'get'>]

/** An item of a list. */
export type ItemOf<P extends PagedPath> =
  Data<'get', P> extends { result: (infer Item)[] }
    ? Item
    : Data<'get', P> extends { data?: (infer Item)[] }
      ? Item
      : never

/**
 * Every item of a list, page after page: `for await (const coin of eachItem(client, '/coins', { params: { query: { limit:
 * 1000 } } }))`. It starts at `page` and asks for a page when the one before is used up, so ending the loop ends the
 * calls. Rows that arrive meanwhile may shift the others by one.
 */
export async function* eachItem<P extends PagedPath>(
  client: Pick<SluiceClient, 'GET'>,
  path: P,
  ...[input]: InputOf<'get', P>
): AsyncGenerator<ItemOf<P>, void, undefined> {
  const { params = {}, ...others } = (input ?? {}) as { params?: { query?: { page?: number } } }
  // The page is a parameter of every paged path.
  const get = client.GET as unknown as (path: P, input: unknown) => Promise<Answer<Page<ItemOf<P>>>>
  for (let page = params.query?.page ?? 1; ; page++) {
    const { data } = await get(path, { ...others, params: { ...params, query: { ...params.query, page } } })
    yield* data.result ?? data.data ?? []
    if (!data.meta.hasNextPage) return
  }
}

interface Page<Item> {
  result?: Item[]
  data?: Item[]
  meta: { hasNextPage: boolean }
}
