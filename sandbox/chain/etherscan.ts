import { toFunctionSelector } from 'viem'
import type { ChainIndex, IndexedTx } from './chain-index.ts'
import type { Internal, Transfer } from './chain-rows.ts'
import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const windowLimit = 10_000
const rejected = (result: string): UpstreamReply => ok({ status: '0', message: 'NOTOK', result })
const accepted = (result: unknown[]): UpstreamReply => {
  return result.length > 0
    ? ok({ status: '1', message: 'OK', result })
    : ok({ status: '0', message: 'No transactions found', result: [] })
}

const functionNames = new Map(
  [
    'transfer(address to, uint256 value)',
    'transferFrom(address from, address to, uint256 value)',
    'approve(address spender, uint256 value)',
    'deposit()',
    'withdraw(uint256 wad)',
    'mint(address to, uint256 tokenId)',
    'swapExactEthForTokens(address pool, uint256 minOut, address to)',
    'swapExactTokensForEth(address pool, address token, uint256 amount, uint256 minOut, address to)',
  ].map((signature) => [toFunctionSelector(`function ${signature}`), signature]),
)

function common(tx: IndexedTx, head: number) {
  return {
    blockNumber: String(tx.blockNumber),
    timeStamp: String(tx.at),
    hash: tx.hash,
    nonce: String(tx.nonce),
    blockHash: tx.blockHash,
    transactionIndex: String(tx.index),
    gas: String(tx.gas),
    gasPrice: String(tx.gasPrice),
    gasUsed: String(tx.gasUsed),
    cumulativeGasUsed: String(tx.cumulativeGasUsed),
    confirmations: String(head - tx.blockNumber + 1),
  }
}

function selectorOf(tx: IndexedTx) {
  const methodId = tx.input.length >= 10 ? (tx.input.slice(0, 10) as `0x${string}`) : '0x'
  return { methodId, functionName: functionNames.get(methodId as `0x${string}`) ?? '' }
}

function normalRow(tx: IndexedTx, head: number) {
  return {
    ...common(tx, head),
    from: tx.from,
    to: tx.to ?? '',
    value: String(tx.value),
    isError: tx.success ? '0' : '1',
    txreceipt_status: tx.success ? '1' : '0',
    input: tx.input,
    contractAddress: tx.contractCreated ?? '',
    ...selectorOf(tx),
  }
}

function internalRow(tx: IndexedTx, call: Internal) {
  return {
    blockNumber: String(tx.blockNumber),
    timeStamp: String(tx.at),
    hash: tx.hash,
    from: call.from,
    to: call.to,
    value: String(call.value),
    contractAddress: '',
    input: '',
    type: call.type,
    gas: String(call.gas),
    gasUsed: String(call.gasUsed),
    traceId: call.traceId,
    isError: '0',
    errCode: '',
  }
}

function tokenRow(index: ChainIndex, tx: IndexedTx, transfer: Transfer) {
  const token = index.token(transfer.token)
  const { methodId, functionName } = selectorOf(tx)
  return {
    ...common(tx, index.head()),
    from: transfer.from,
    contractAddress: transfer.token,
    to: transfer.to,
    ...(transfer.standard === 'ERC-20' && { value: String(transfer.amount) }),
    ...(transfer.tokenId !== null && { tokenID: String(transfer.tokenId) }),
    ...(transfer.standard === 'ERC-1155' && { tokenValue: String(transfer.amount) }),
    tokenName: token.name,
    tokenSymbol: token.symbol,
    tokenDecimal: String(token.decimals ?? 0),
    input: 'deprecated',
    methodId,
    functionName,
  }
}

/** Etherscan's API v2, module account. Errors come with HTTP 200, as in Etherscan. */
export function createEtherscan(indexes: ChainIndex[]): Upstream {
  function rowsOf(index: ChainIndex, action: string, address: string, txs: IndexedTx[]): unknown[] | null {
    const party = (row: { from: string; to: string | null }): boolean =>
      row.from === address || row.to === address
    const tokenRows = (standard: Transfer['standard']): unknown[] =>
      txs.flatMap((tx) =>
        tx.transfers.filter((t) => t.standard === standard && party(t)).map((t) => tokenRow(index, tx, t)),
      )
    if (action === 'txlist') {
      return txs
        .filter((t) => party(t) || t.contractCreated === address)
        .map((t) => normalRow(t, index.head()))
    }
    if (action === 'txlistinternal')
      return txs.flatMap((t) => t.internals.filter(party).map((c) => internalRow(t, c)))
    if (action === 'tokentx') return tokenRows('ERC-20')
    if (action === 'tokennfttx') return tokenRows('ERC-721')
    return action === 'token1155tx' ? tokenRows('ERC-1155') : null
  }

  return async ({ query }) => {
    const index = indexes.find((i) => String(i.network.chainId) === query.get('chainid'))
    if (!query.get('chainid'))
      return rejected(
        'Missing chainid parameter (required for v2 api), please see https://api.etherscan.io/v2/chainlist for the list of supported chainids',
      )
    if (!index)
      return rejected(
        'Missing or unsupported chainid parameter (required for v2 api), please see https://api.etherscan.io/v2/chainlist for the list of supported chainids',
      )
    if (query.get('module') !== 'account') return rejected('Error! Missing Or invalid Module name')
    const address = (query.get('address') ?? '').toLowerCase()
    if (!/^0x[0-9a-f]{40}$/.test(address)) return rejected('Error! Invalid address format')
    await index.refresh()
    const [from, to] = [Number(query.get('startblock') ?? 0), Number(query.get('endblock') ?? 99_999_999)]
    const txs = index.of(address).filter((tx) => tx.blockNumber >= from && tx.blockNumber <= to)
    const rows = rowsOf(index, query.get('action') ?? '', address, txs)
    if (!rows) return rejected('Error! Missing Or invalid Action name')
    const page = Math.max(1, Number(query.get('page') ?? 1))
    const offset = Number(query.get('offset') ?? 0) || windowLimit
    if (page * offset > windowLimit) {
      return ok({
        status: '0',
        message: 'Result window is too large, PageNo x Offset size must be less than or equal to 10000',
        result: null,
      })
    }
    if (query.get('sort') === 'desc') rows.reverse()
    return accepted(rows.slice((page - 1) * offset, page * offset))
  }
}
