import { getAddress } from 'viem'
import type { ChainIndex, IndexedTx } from './chain-index.ts'
import type { Hex, Internal, Transfer } from './chain-rows.ts'
import { isoMs, ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const pageSize = 50
const notFound: UpstreamReply = { status: 404, body: { message: 'Not found' } }
const time = (at: number): string => isoMs(at).replace('.000Z', '.000000Z')

function party(address: Hex | null) {
  if (address === null) return null
  return {
    hash: getAddress(address),
    ens_domain_name: null,
    implementations: [],
    is_contract: false,
    is_scam: false,
    is_verified: false,
    metadata: null,
    name: null,
    proxy_type: null,
    reputation: 'ok',
    private_tags: [],
    public_tags: [],
    watchlist_names: [],
  }
}

function transactionRow(tx: IndexedTx, head: number) {
  const method = tx.input.length >= 10 ? tx.input.slice(0, 10) : null
  return {
    hash: tx.hash,
    block_number: tx.blockNumber,
    timestamp: time(tx.at),
    position: tx.index,
    nonce: tx.nonce,
    from: party(tx.from),
    to: party(tx.to),
    value: String(tx.value),
    raw_input: tx.input,
    method,
    created_contract: party(tx.contractCreated),
    type: tx.type,
    status: tx.success ? 'ok' : 'error',
    result: tx.success ? 'success' : 'execution reverted',
    gas_limit: String(tx.gas),
    gas_used: String(tx.gasUsed),
    gas_price: String(tx.gasPrice),
    fee: {
      type: 'actual',
      value: String(tx.gasUsed * tx.gasPrice),
    },
    confirmations: head - tx.blockNumber + 1,
    revert_reason: null,
    token_transfers: null,
    transaction_types: [
      tx.transfers.length > 0 ? 'token_transfer' : tx.value > 0n ? 'coin_transfer' : 'contract_call',
    ],
  }
}

function tokenTransferRow(index: ChainIndex, tx: IndexedTx, transfer: Transfer) {
  const token = index.token(transfer.token)
  const decimals = token.decimals === null ? null : String(token.decimals)
  return {
    block_hash: tx.blockHash,
    block_number: tx.blockNumber,
    from: party(transfer.from),
    to: party(transfer.to),
    log_index: transfer.logIndex,
    method: null,
    timestamp: time(tx.at),
    transaction_hash: tx.hash,
    token: {
      address_hash: getAddress(token.address),
      name: token.name,
      symbol: token.symbol,
      decimals,
      type: transfer.standard,
      exchange_rate: null,
      holders_count: null,
      icon_url: null,
      total_supply: null,
      circulating_market_cap: null,
      volume_24h: null,
    },
    total: {
      ...(transfer.standard !== 'ERC-721' && { decimals, value: String(transfer.amount) }),
      ...(transfer.tokenId !== null && { token_id: String(transfer.tokenId), token_instance: null }),
    },
    token_type: transfer.standard,
    type: 'token_transfer',
  }
}

function internalRow(tx: IndexedTx, call: Internal, position: number) {
  return {
    block_number: tx.blockNumber,
    block_index: position,
    index: position + 1,
    timestamp: time(tx.at),
    transaction_hash: tx.hash,
    transaction_index: tx.index,
    from: party(call.from),
    to: party(call.to),
    created_contract: null,
    error: null,
    gas_limit: String(call.gas),
    success: true,
    type: call.type,
    value: String(call.value),
  }
}

type Item = { block: number; index: number; row: unknown }

/**
 * Blockscout's API v2 for several chains: /{chain_id}/api/v2/addresses/{address}/{list}, newest first, by
 * cursor.
 */
export function createBlockscout(indexes: ChainIndex[]): Upstream {
  function items(index: ChainIndex, address: Hex, list: string): Item[] | null {
    const touches = (row: { from: Hex; to: Hex | null }): boolean =>
      row.from === address || row.to === address
    const txs = index.of(address).reverse()
    const item = (tx: IndexedTx, at: number, row: unknown): Item => ({
      block: tx.blockNumber,
      index: at,
      row,
    })
    if (list === 'transactions') {
      return txs.filter(touches).map((tx) => item(tx, tx.index, transactionRow(tx, index.head())))
    }
    if (list === 'token-transfers') {
      return txs.flatMap((tx) => {
        const mine = tx.transfers.filter(touches).reverse()
        // The items of a batch share a log: their positions keep the cursor unique.
        return mine.map((t) => item(tx, t.logIndex * 1000 + t.item, tokenTransferRow(index, tx, t)))
      })
    }
    if (list === 'internal-transactions') {
      return txs.flatMap((tx) => {
        // Positions increase across the transactions of a block, which keeps the cursor unique.
        const rows = tx.internals
          .map((call, i) => ({ call, at: tx.index * 1000 + i }))
          .filter(({ call }) => touches(call))
        return rows.reverse().map(({ call, at }) => item(tx, at, internalRow(tx, call, at)))
      })
    }
    return null
  }

  return async ({ path, query }) => {
    const [chainId, api, version, kind, address, list] = path
    const index = indexes.find((i) => String(i.network.chainId) === chainId)
    if (!index || api !== 'api' || version !== 'v2' || kind !== 'addresses' || !address || !list)
      return notFound
    if (!/^0x[0-9a-fA-F]{40}$/.test(address))
      return { status: 422, body: { message: 'Invalid parameter(s)' } }
    await index.refresh()
    const all = items(index, address.toLowerCase() as Hex, list)
    if (!all) return notFound
    const [block, at] = [query.get('block_number'), query.get('index')]
    const after = (i: Item): boolean =>
      i.block < Number(block) || (i.block === Number(block) && i.index < Number(at))
    const rest = block === null ? all : all.filter(after)
    const page = rest.slice(0, pageSize)
    const last = page.at(-1)
    const more = rest.length > pageSize && last
    const count = Number(query.get('items_count') ?? 0) + page.length
    return ok({
      items: page.map((i) => i.row),
      next_page_params: more ? { block_number: last.block, index: last.index, items_count: count } : null,
    })
  }
}
