import type { Asked, Reply } from './double.ts'
import { accountRows, etherscanShape } from './explorer-rows.ts'
import type { AccountList } from './explorer-rows.ts'
import type { MemoryChain } from './nodes/chain.ts'

/** One rule of a vendor: the row of the list of strict doubles, and the body that it answers with. */
export interface ExplorerRule {
  row: number
  refuse: (asked: Asked) => Reply | null
}

const LISTS: Record<string, AccountList> = {
  txlist: 'transactions',
  txlistinternal: 'internal',
  tokentx: 'erc20',
  tokennfttx: 'erc721',
  token1155tx: 'erc1155',
}

/** Etherscan's errors have status 200. */
export const notOk = (result: string): Reply => ({ body: { status: '0', message: 'NOTOK', result } })

export const numberIn = ({ query }: Asked, name: string, or: number): number =>
  query.has(name) ? Number(query.get(name)) : or

/** Answers the lists of an account as an explorer without limits does. `pageRows`: without `offset`. */
export function answerDialect(chain: MemoryChain, asked: Asked, pageRows: number): Reply {
  const { query } = asked
  const list = LISTS[query.get('action') ?? '']
  if (query.get('module') === 'contract') return { body: { status: '1', message: 'OK', result: '[]' } }
  if (query.get('module') !== 'account' || !list) return notOk('Error! Missing Or invalid Action name')
  const address = query.get('address')
  if (!address || !/^0x[0-9a-fA-F]{40}$/.test(address)) return notOk('Error! Invalid address format')
  const [from, to] = [numberIn(asked, 'startblock', 0), numberIn(asked, 'endblock', Infinity)]
  const rows = accountRows(chain, address.toLowerCase(), list).filter(
    ({ block }) => block.number >= from && block.number <= to,
  )
  if (query.get('sort') === 'desc') rows.reverse()
  const size = numberIn(asked, 'offset', pageRows)
  const start = (numberIn(asked, 'page', 1) - 1) * size
  const page = rows.slice(start, start + size).map(etherscanShape)
  return page.length === 0
    ? { body: { status: '0', message: 'No transactions found', result: [] } }
    : { body: { status: '1', message: 'OK', result: page } }
}
