import type { UtxoCoin } from './actors.ts'
import type { BitcoinChain, ConfirmedTx } from './chain.ts'
import type { Output, PlannedTx } from './plan.ts'
import { rawTransaction, scriptOf } from './raw.ts'
import { numberOf, ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

/** Rows of a page at most, also of the transactions of a block. */
const MOST_ROWS = 1_000

const failed = (error: string): UpstreamReply => ({ status: 400, body: { error } })

/** Blockbook's REST API (v2) over a coin's chain, which may change between requests. */
export function createBlockbook(coin: UtxoCoin, chainNow: () => BitcoinChain): Upstream {
  return (request) => answer(coin, chainNow(), request)
}

function answer(coin: UtxoCoin, chain: BitcoinChain, request: UpstreamRequest): UpstreamReply {
  const { now, query } = request
  const [api, version, kind, id] = request.path
  const tip = chain.tipAt(now)
  if (api !== 'api') return { status: 404, body: '404 page not found\n' }
  if (version === 'status' || version === undefined) return ok(status(coin, { chain, tip }))
  if (version !== 'v2' || id === undefined) return failed('Missing parameter')
  const height = heightOf(id, { chain, tip, now })
  if (kind === 'block-index') return ok({ blockHash: height === null ? '' : chain.blockAt(height).id })
  if (kind === 'block') {
    if (height === null) return failed('Block not found')
    return ok(block(coin, { chain, tip, height, page: numberOf(query, 'page', { or: 1, max: 1e6 }) }))
  }
  if (kind === 'tx') {
    const found = chain.find(id)
    return found
      ? ok(transaction(coin, found, { tip, isLight: false }))
      : failed(`Transaction '${id}' not found`)
  }
  if (kind === 'address') return ofAddress(coin, { spelled: id, chain, query, now, tip })
  return failed('Missing parameter')
}

const status = (coin: UtxoCoin, { chain, tip }: { chain: BitcoinChain; tip: number }) => ({
  blockbook: {
    coin: coin.name,
    network: coin.symbol,
    host: 'sandbox',
    version: '0.5.1',
    syncMode: true,
    initialSync: false,
    inSync: true,
    bestHeight: tip,
    lastBlockTime: new Date(chain.blockAt(tip).at * 1_000).toISOString(),
    inSyncMempool: true,
    mempoolSize: 1,
    decimals: 8,
    about: 'Blockbook - blockchain indexer for Trezor Suite.',
  },
  backend: { chain: 'main', blocks: tip, headers: tip, bestBlockHash: chain.blockAt(tip).id },
})

/** null: no such block */
function heightOf(
  id: string,
  { chain, tip, now }: { chain: BitcoinChain; tip: number; now: number },
): number | null {
  if (!/^\d{1,10}$/.test(id)) return chain.heightOfId(id, now)
  const height = Number(id)
  return height >= chain.firstHeight && height <= tip ? height : null
}

function block(
  coin: UtxoCoin,
  { chain, tip, height, page }: { chain: BitcoinChain; tip: number; height: number; page: number },
) {
  const { id, previous, at } = chain.blockAt(height)
  const minted = { n: 0, isAddress: false, value: '0' }
  const miners = {
    txid: rawTransaction({ vin: [], vout: [{ address: null, value: height }] }, coin.network).getId(),
    vin: [minted],
    vout: [
      { value: '1000100000000', n: 0, addresses: [prefixOf(coin) + coin.outsiders[0]!], isAddress: true },
    ],
    ...place({ height, id, at }, tip),
    value: '1000100000000',
    valueIn: '0',
    fees: '0',
  }
  const txs = chain.at(height).map((tx) => transaction(coin, tx, { tip, isLight: true }))
  const paged = pageOf([miners, ...txs], { page, size: MOST_ROWS })
  return {
    page: paged.page,
    totalPages: paged.totalPages,
    itemsOnPage: MOST_ROWS,
    hash: id,
    ...(height > chain.firstHeight && { previousBlockHash: previous }),
    ...(height < tip && { nextBlockHash: chain.blockAt(height + 1).id }),
    height,
    confirmations: tip - height + 1,
    size: 951,
    time: at,
    version: '536870912',
    merkleRoot: id,
    nonce: '0',
    bits: '1a063f3b',
    difficulty: '2685605.260733312',
    txCount: 1 + txs.length,
    txs: paged.rows,
  }
}

interface Paged<Row> {
  page: number
  totalPages: number
  rows: readonly Row[]
}

/** Past the end it repeats the last page, as Blockbook does. */
function pageOf<Row>(rows: readonly Row[], { page, size }: { page: number; size: number }): Paged<Row> {
  const totalPages = Math.max(1, Math.ceil(rows.length / size))
  const shown = Math.min(Math.max(1, page), totalPages)
  return { page: shown, totalPages, rows: rows.slice((shown - 1) * size, shown * size) }
}

function ofAddress(
  coin: UtxoCoin,
  asked: { spelled: string; chain: BitcoinChain; query: URLSearchParams; now: number; tip: number },
): UpstreamReply {
  const { spelled, chain, query, now, tip } = asked
  const prefix = prefixOf(coin)
  const address = spelled.slice(prefix.length)
  if (!spelled.startsWith(prefix) || !isAddress(coin, address))
    return failed(`Invalid address '${spelled}', decoded address is of unknown format`)
  const confirmed = chain.of(address, now)
  const waiting = chain.waiting(address, now)
  const details = query.get('details') ?? 'txids'
  const [from, to] = ['from', 'to'].map((name) => numberOf(query, name, { or: 0, max: 1e10 })) as [
    number,
    number,
  ]
  const facts = { address: spelled, ...amounts(address, { confirmed, waiting }) }
  if (!['txids', 'txs', 'txslight'].includes(details)) return ok(facts)
  const isFiltered = from > 0 || to > 0
  const inMempool = to > 0 ? [] : waiting
  const inRange = confirmed.filter(({ block: { height } }) => height >= from && (to === 0 || height <= to))
  const size = numberOf(query, 'pageSize', { or: MOST_ROWS, max: MOST_ROWS }) || MOST_ROWS
  const page = Math.max(1, numberOf(query, 'page', { or: 1, max: 1e6 }))
  const paged = pageOf(inRange.slice(0, page * size), { page, size })
  // With a filter the number of pages is not known while pages are full.
  const isFull = Math.min(inRange.length, page * size) >= size
  const totalPages = isFull && isFiltered ? -1 : isFull ? Math.ceil(inRange.length / size) : 1
  const rows = [...(paged.page === 1 ? inMempool : []), ...paged.rows].slice(0, size)
  const isLight = details === 'txslight'
  const listed =
    details === 'txids'
      ? { txids: rows.map(({ txid }) => txid) }
      : { transactions: rows.map((tx) => transaction(coin, tx, { tip, isLight })) }
  return ok({ page: paged.page, totalPages, itemsOnPage: size, ...facts, ...(rows.length > 0 && listed) })
}

/** Before each address in CashAddr. */
const prefixOf = ({ network: { cash } }: UtxoCoin): string => (cash === undefined ? '' : `${cash}:`)

function isAddress({ network }: UtxoCoin, address: string): boolean {
  try {
    return scriptOf({ address, value: 0 }, network).length > 0
  } catch {
    return false
  }
}

function amounts(
  address: string,
  { confirmed, waiting }: { confirmed: readonly PlannedTx[]; waiting: readonly PlannedTx[] },
) {
  const sum = (txs: readonly PlannedTx[], side: 'vin' | 'vout'): bigint =>
    txs
      .flatMap((tx): readonly Output[] => tx[side])
      .reduce((total, one) => (one.address === address ? total + BigInt(one.value) : total), 0n)
  const [received, sent] = [sum(confirmed, 'vout'), sum(confirmed, 'vin')]
  return {
    balance: String(received - sent),
    totalReceived: String(received),
    totalSent: String(sent),
    unconfirmedBalance: String(sum(waiting, 'vout') - sum(waiting, 'vin')),
    unconfirmedTxs: waiting.length,
    txs: confirmed.length,
  }
}

const place = ({ height, id, at }: { height: number; id: string; at: number }, tip: number) => ({
  blockHash: id,
  blockHeight: height,
  confirmations: tip - height + 1,
  blockTime: at,
})

/** `isLight`: of Blockbook's own index, without what only the node has. */
function transaction(
  coin: UtxoCoin,
  tx: PlannedTx & Partial<Pick<ConfirmedTx, 'block'>>,
  { tip, isLight }: { tip: number; isLight: boolean },
) {
  const { network } = coin
  const total = (rows: readonly Output[]) => String(rows.reduce((sum, { value }) => sum + BigInt(value), 0n))
  const isMined = tx.block !== undefined && tx.block.height <= tip
  return {
    txid: tx.txid,
    ...(!isLight && { version: 2 }),
    vin: tx.vin.map(({ txid, vout, address, value }, n) => ({
      ...(!isLight && { txid, ...(vout > 0 && { vout }), sequence: 4_294_967_293 }),
      n,
      addresses: [prefixOf(coin) + address],
      isAddress: true,
      value: String(value),
    })),
    vout: tx.vout.map((one, n) => ({
      value: String(one.value),
      n,
      ...(!isLight && { hex: scriptOf(one, network).toString('hex') }),
      addresses: [one.address === null ? 'OP_RETURN (sandbox data)' : prefixOf(coin) + one.address],
      isAddress: one.address !== null,
    })),
    ...(isMined ? place(tx.block!, tip) : { blockHeight: -1, confirmations: 0, blockTime: tx.at }),
    value: total(tx.vout),
    valueIn: total(tx.vin),
    fees: String(tx.fee),
    ...(!isLight && { hex: rawTransaction(tx, network).toHex() }),
  }
}
