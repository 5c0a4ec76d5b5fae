import type { DocsOperation } from './docs-operations.ts'

/** A call whose answer lists the values that a parameter can have. */
export interface PickList {
  /** Path below /v1, with query. */
  path: string
  /** Field of the answer that holds the list. */
  items: string
  /** Field of an item that is the value. */
  value: string
  /** Field of an item that people know it by. */
  label: string
  /** Whether the values are those of the account that calls. */
  isOwn?: true
}

const PORTFOLIOS: PickList = {
  path: '/portfolio/list',
  items: 'result',
  value: 'portfolioId',
  label: 'portfolioName',
  isOwn: true,
}
const COINS: PickList = { path: '/coins?limit=50', items: 'result', value: 'id', label: 'name' }
const MARKETS: PickList = { path: '/prediction/markets', items: 'data', value: 'slug', label: 'question' }
const EVENTS: PickList = { path: '/prediction/events', items: 'data', value: 'slug', label: 'title' }
const COLLECTIONS: PickList = { path: '/nft/trending', items: 'data', value: 'address', label: 'name' }
const TRADERS: PickList = { path: '/prediction/traders', items: 'data', value: 'address', label: 'name' }

/** By parameter, and where the name says too little, by the path in front of it. */
const LISTS: readonly (PickList & { name: string; under?: string })[] = [
  { name: 'portfolioId', ...PORTFOLIOS },
  { name: 'coinId', ...COINS },
  { name: 'coinIds', ...COINS },
  { name: 'slug', under: '/prediction/markets/', ...MARKETS },
  { name: 'slug', under: '/prediction/events/', ...EVENTS },
  { name: 'marketSlug', ...MARKETS },
  { name: 'eventSlug', ...EVENTS },
  { name: 'collectionAddress', ...COLLECTIONS },
  { name: 'address', under: '/prediction/traders/', ...TRADERS },
  { name: 'id', under: '/news/', path: '/news', items: 'result', value: 'id', label: 'title' },
  {
    name: 'id',
    under: '/webhooks/',
    path: '/webhooks',
    items: 'result',
    value: 'id',
    label: 'url',
    isOwn: true,
  },
  {
    name: 'id',
    under: '/portfolio/transaction/',
    path: '/portfolio/transactions?currency=USD',
    items: 'data',
    value: 'id',
    label: 'transactionType',
    isOwn: true,
  },
  { name: 'ids', path: '/alerts', items: 'result', value: 'id', label: 'type', isOwn: true },
]

/** Where the values of a parameter come from; undefined: people know them, or the schema lists them. */
export const pickList = ({ path, operation }: DocsOperation, name: string): PickList | undefined => {
  const { schema } = operation.parameters.find((one) => one.name === name)!
  if (Array.isArray(schema['enum'])) return undefined
  return LISTS.find((list) => list.name === name && path.startsWith(list.under ?? ''))
}
