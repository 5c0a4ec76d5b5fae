import type pg from 'pg'
import { coveredWallets, networkAddresses, uncoveredWallets } from '../../../db/chain/coverage.ts'
import { storedOutputs, usedAddresses } from '../../../db/chain/bitcoin-wallets.ts'
import { writeAccounts } from '../../../db/chain/sync-progress.ts'
import { BITCOIN_FORMATS } from '../../../db/values/networks/network.ts'
import { extendedKey } from '../../../db/values/utxo-address.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { ChainBlock, ChainTransfer } from '../chain-data.ts'
import { parseBitcoinBlock } from '../sources/bitcoin-block.ts'
import type { EsploraApi } from '../sources/esplora-api.ts'
import { decodeUtxoTransaction } from '../sources/utxo-transaction.ts'
import { keepOwn } from '../sources/keep-own.ts'
import { createAddressSet } from './address-set.ts'
import type { BitcoinWallets } from './bitcoin-wallets.ts'
import type { BlockReader, FollowedWallet, ReadBlock } from './block-reader.ts'
import { confirmBlocks } from './confirm-blocks.ts'
import type { FollowedNetwork } from './follow-head.ts'
import { matchTransactions, outputKey, paidOutputs } from './match-bitcoin.ts'
import type { Outputs } from './match-bitcoin.ts'

const POLL_MS = 60_000
/** A refusal costs at most these: the public node gives a block in five seconds. */
const BLOCKS_PER_BATCH = 10
const NONE = new Uint32Array()

/**
 * Reads raw blocks from Esplora. An output pays a wallet by its script; an input spends from one whose output is
 * stored. So a wallet is taken up when its history reaches the cursor, and no block is read again for it.
 */
export function createBitcoinReader(
  { pool, api, wallets }: { pool: pg.Pool; api: EsploraApi; wallets: BitcoinWallets },
  network: FollowedNetwork,
): BlockReader {
  const { source, reorgDepth } = network
  const networkId = network.id
  let newest: ChainBlock | null = null

  async function addWallets(addresses: readonly string[]): Promise<void> {
    const keys = addresses.filter((address) => extendedKey(BITCOIN_FORMATS, address) !== null)
    const used = await usedAddresses(pool, { networkId, wallets: keys })
    for (const address of addresses) wallets.add(address, used.get(address) ?? [])
  }

  async function head(): Promise<ChainBlock> {
    const hash = await api.tipHash()
    newest = newest?.hash === hash ? newest : await api.blockOf(hash)
    return newest
  }

  async function readBatch({ from }: { from: number }): Promise<ReadBlock[]> {
    const tip = newest ?? (await head())
    const highest = Math.min(from + BLOCKS_PER_BATCH - 1, tip.number)
    const marks = tip.number === from ? [tip] : await listed(from, highest)
    const own: Outputs = new Map()
    const blocks: ReadBlock[] = []
    for (const mark of marks) blocks.push(await readBlock(mark, own))
    return blocks
  }

  /** Blocks in their order, both ends included. A page of some servers has fewer than ten. */
  async function listed(from: number, highest: number): Promise<ChainBlock[]> {
    const found: ChainBlock[] = []
    for (let at = highest; at >= from;) {
      const page = await api.blocksFrom(at)
      if (page[0]?.number !== at) throw new SourceUnavailable(source, `no block ${at}: the node lags`)
      found.push(...page)
      at -= page.length
    }
    return found.filter(({ number }) => number >= from).reverse()
  }

  /** `own`: outputs of the blocks of the batch that may be those of wallets */
  async function readBlock(mark: ChainBlock, own: Outputs): Promise<ReadBlock> {
    const { hash, number } = mark
    const raw = parseBitcoinBlock({ source, hash, hex: await api.rawBlock(hash) })
    for (const [output, address] of paidOutputs(wallets, raw)) own.set(output, address)
    const spent = raw.transactions.flatMap(({ spends }) => spends.map(({ txid }) => txid))
    for (const output of await storedOutputs(pool, { networkId, txids: [...new Set(spent)] }))
      if (wallets.mayOwn(output.address)) own.set(outputKey(output.txid, output.position), output.address)
    const { addresses, txids } = matchTransactions(raw, own)
    const decoded: ReadBlock['decoded'] = []
    for (const txid of txids) {
      const transaction = await api.transaction(txid)
      if (transaction.blockHash !== hash)
        throw new SourceUnavailable(
          source,
          `${txid} is not in block ${hash}: a reorg happened during the read`,
        )
      decoded.push(decodeUtxoTransaction(transaction))
    }
    const { parentHash, atMs } = raw
    return {
      block: { number, hash, parentHash, atMs },
      match: { addresses, candidates: NONE },
      decoded,
    }
  }

  const findWallets: BlockReader['findWallets'] = async (client, { addresses, fetchedAt, throughBlock }) => {
    const named = Map.groupBy(addresses, wallets.walletOf)
    const covered = await coveredWallets(client, { networkId, addresses: [...named.keys()] })
    const found: FollowedWallet[] = []
    for (const { walletId, address: wallet } of covered) {
      const own = named.get(wallet)!
      found.push(...own.map((address) => ({ walletId, address })))
      if (extendedKey(BITCOIN_FORMATS, wallet) === null) continue
      const accounts = own.map((account) => ({
        account,
        role: 'address' as const,
        readBlock: throughBlock,
        newest: null,
      }))
      await writeAccounts(client, { walletId, networkId, source, fetchedAt, accounts })
    }
    return found
  }

  return {
    async load() {
      for await (const page of networkAddresses(pool, networkId)) await addWallets(page)
    },
    head,
    // Blocks come at random times.
    method: () => ({ mode: 'blocks', method: 'raw', tickMs: POLL_MS, reason: null, node: null }),
    headers: api.headers,
    async takeUp(from) {
      const added = await uncoveredWallets(pool, { networkId, readThrough: from - 1 })
      await addWallets(added.map(({ address }) => address))
      return { walletIds: added.map(({ walletId }) => walletId), set: createAddressSet() }
    },
    readBatch,
    readAgain: () => Promise.resolve([]),
    // There is one source: nothing else could say which branch is the better one.
    mayReplace: () => Promise.resolve(true),
    committed() {},
    rewound: () => Promise.resolve(),
    findWallets,
    keep: (found) => keepOfEach(found),
    confirm: (input) =>
      confirmBlocks(
        {
          pool,
          chain: { finalized: () => Promise.resolve(0), headers: api.headers },
          // The Merkle root has proven that nothing was left out.
          audit: () => Promise.resolve(),
        },
        { ...input, networkId, source, reorgDepth },
      ),
  }
}

/** Of a transaction, what each wallet keeps of it: the same transfer may be another one's counterparty. */
function keepOfEach(found: readonly FollowedWallet[]): ReturnType<BlockReader['keep']> {
  const byWallet = Map.groupBy(found, ({ walletId }) => walletId)
  const wallets = [...byWallet.values()].map((own) => new Set(own.map(({ address }) => address)))
  return ({ transfers }) => {
    const kept = new Set<ChainTransfer>(wallets.flatMap((own) => keepOwn(own, transfers)))
    return kept.size > 0 ? transfers.filter((one) => kept.has(one)) : null
  }
}
