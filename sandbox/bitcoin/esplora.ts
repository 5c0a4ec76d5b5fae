import type { BitcoinChain, Block, ConfirmedTx } from './chain.ts'
import type { Output, PlannedTx } from './plan.ts'
import { scriptOf } from './raw.ts'
import { ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const pageRows = 25
const blocksPerPage = 10

const text = (status: number, body: string): UpstreamReply => ({
  status,
  body,
  headers: { 'content-type': 'text/plain' },
})

function output({ address, value }: Output) {
  const scriptpubkey = scriptOf({ address, value }).toString('hex')
  if (address === null) return { scriptpubkey, scriptpubkey_type: 'op_return', value }
  const types = address.startsWith('bc1') ? 'v0_p2wpkh' : address.startsWith('3') ? 'p2sh' : 'p2pkh'
  return { scriptpubkey, scriptpubkey_type: types, scriptpubkey_address: address, value }
}

function transaction(tx: PlannedTx, block: Block | null) {
  return {
    txid: tx.txid,
    version: 2,
    locktime: 0,
    vin: tx.vin.map(({ txid, vout, ...prevout }) => ({
      txid,
      vout,
      prevout: output(prevout),
      scriptsig: '',
      is_coinbase: false,
      sequence: 4294967293,
    })),
    vout: tx.vout.map(output),
    size: 11 + 148 * tx.vin.length + 34 * tx.vout.length,
    weight: 44 + 272 * tx.vin.length,
    fee: tx.fee,
    status: block
      ? { confirmed: true, block_height: block.height, block_hash: block.id, block_time: block.at }
      : { confirmed: false },
  }
}

function blockRow({ height, id, previous, at }: Block, transactions: number) {
  return {
    id,
    height,
    version: 536870912,
    timestamp: at,
    mediantime: at - 3_000,
    tx_count: transactions,
    size: 1_500_000,
    weight: 3_990_000,
    previousblockhash: previous,
    bits: 386_147_408,
    nonce: 1,
  }
}

function amounts(address: string, txs: readonly PlannedTx[]) {
  const paid = txs.flatMap(({ vout }) => vout.filter((one) => one.address === address))
  const spent = txs.flatMap(({ vin }) => vin.filter((one) => one.address === address))
  const sum = (rows: readonly { value: number }[]): number =>
    rows.reduce((total, one) => total + one.value, 0)
  return {
    funded_txo_count: paid.length,
    funded_txo_sum: sum(paid),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
    tx_count: txs.length,
  }
}

/**
 * Esplora's REST API over the sandbox's Bitcoin chain, which may change between requests. Errors are plain
 * text, as in Esplora.
 */
export function createEsplora(chainNow: () => BitcoinChain): Upstream {
  return (request) => answer(chainNow(), request)
}

function answer(chain: BitcoinChain, { path, now }: UpstreamRequest): UpstreamReply {
  function blocks(from: string | undefined, tip: number): UpstreamReply {
    const height = from === undefined ? tip : Number(from)
    if (!Number.isInteger(height)) return text(400, 'Invalid height')
    if (height > tip || height < chain.firstHeight) return text(404, 'Block not found')
    const count = Math.min(blocksPerPage, height - chain.firstHeight + 1)
    return ok(Array.from({ length: count }, (_, i) => rowAt(height - i)))
  }

  const rowAt = (height: number) => blockRow(chain.blockAt(height), chain.transactionsAt(height))

  function block(id: string, part: string | undefined): UpstreamReply {
    const height = chain.heightOfId(id, now)
    if (height === null) return text(404, 'Block not found')
    if (part === undefined) return ok(rowAt(height))
    if (part !== 'raw') return text(404, 'endpoint does not exist')
    return {
      status: 200,
      body: chain.rawAt(height),
      headers: { 'content-type': 'application/octet-stream' },
    }
  }

  function ofAddress(address: string, path: string[], now: number): UpstreamReply {
    if (!/^(bc1[02-9ac-hj-np-z]{39,59}|[13][1-9A-HJ-NP-Za-km-z]{24,34})$/.test(address))
      return text(400, 'Invalid Bitcoin address')
    const [list, part, last] = path
    const confirmed = chain.of(address, now)
    const waiting = chain.waiting(address, now)
    if (list === undefined)
      return ok({
        address,
        chain_stats: amounts(address, confirmed),
        mempool_stats: amounts(address, waiting),
      })
    if (list !== 'txs') return text(404, 'endpoint does not exist')
    const inMempool = waiting.map((tx) => transaction(tx, null))
    if (part === 'mempool') return ok(inMempool.slice(0, 50))
    const at = last === undefined ? 0 : confirmed.findIndex((tx) => tx.txid === last) + 1
    // A transaction that does not belong to the address has no next page.
    const rows = last !== undefined && at === 0 ? [] : confirmed.slice(at, at + pageRows)
    const page = rows.map((tx) => transaction(tx, tx.block))
    return ok(part === 'chain' ? page : [...inMempool.slice(0, 50), ...page])
  }

  function one(found: ConfirmedTx | null, tip: number): UpstreamReply {
    if (!found) return text(404, 'Transaction not found')
    return ok(transaction(found, found.block.height <= tip ? found.block : null))
  }

  const [kind, first, second, ...rest] = path
  const tip = chain.tipAt(now)
  if (kind === 'blocks' && first === 'tip')
    return text(200, second === 'hash' ? chain.blockAt(tip).id : String(tip))
  if (kind === 'blocks') return blocks(first, tip)
  if (kind === 'block' && first !== undefined) return block(first, second)
  if (kind === 'address' && first !== undefined)
    return ofAddress(first, second === undefined ? [] : [second, ...rest], now)
  if (kind === 'tx' && first !== undefined) return one(chain.find(first), tip)
  return text(404, 'endpoint does not exist')
}
