import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseBitcoinBlock } from '../../activities/chain/sources/bitcoin-block.ts'
import { addressOf } from '../../activities/chain/sources/bitcoin-scripts.ts'
import { SourceUnavailable } from '../../activities/errors.ts'
import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { esploraTransaction } from '../../activities/chain/sources/esplora-transaction.ts'
import { decodeUtxoTransaction } from '../../activities/chain/sources/utxo-transaction.ts'
import { createEsplora } from '../../activities/chain/sources/esplora.ts'
import { decimal, multiply } from '../../db/values/decimal.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'

const BLOCKS = join(realdata ?? '', 'bitcoin-etl/tests/resources/test_export_blocks_job/bitcoin')
const BLOCKBOOK = join(realdata ?? '', 'blockatlas/mock/ext-api-data')
const ADDRESS = 'bc1qrfr44n2j4czd5c9txwlnw0yj2h82x9566fglqj'
const ZPUB =
  'zpub6ruK9k6YGm8BRHWvTiQcrEPnFkuRDJhR7mPYzV2LDvjpLa5CuGgrhCYVZjMGcLcFqv9b2WvsFtY2Gb3xq8NVq8qhk9veozrA2W9QaWtihrC'

interface NodeOutput {
  value: number
  n: number
  scriptPubKey: { type: string; hex: string; addresses?: string[] }
}
interface NodeTx {
  txid: string
  hex: string
  vin: { txid?: string; vout?: number; coinbase?: string }[]
  vout: NodeOutput[]
}
interface NodeBlock {
  hash: string
  version: number
  merkleroot: string
  bits: string
  nonce: number
  height: number
  time: number
  previousblockhash?: string
  tx: NodeTx[]
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const satoshis = (coins: number) => Number(multiply(decimal(String(coins)), decimal('1e8')).coefficient)

/** Reads a folder of the recording: its blocks, the transactions that they spend, and the expected values. */
function readFolder(folder: string) {
  const names = readdirSync(join(BLOCKS, folder))
  const of = (prefix: string) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => join(BLOCKS, folder, name))
  const blocks = of('rpc_response_getblock_').map((file) => readJson(file) as NodeBlock)
  const spent = new Map(
    of('rpc_response_getrawtransaction_')
      .map((file) => readJson(file) as NodeTx)
      .map((tx) => [tx.txid, tx]),
  )
  const lines = readFileSync(join(BLOCKS, folder, 'expected_transactions.json'), 'utf8')
    .trim()
    .split('\n')
  const expected = lines.map(
    (line) =>
      JSON.parse(line) as { hash: string; input_count: number; output_value: number; input_value: number },
  )
  return { blocks: blocks.filter(({ tx }) => tx.length > 0), spent, expected }
}

/** A node's block in Esplora's format. Esplora gives bare keys no address; `bareKeys` adds them. */
function esploraRows(block: NodeBlock, spent: ReadonlyMap<string, NodeTx>, bareKeys: boolean) {
  const output = ({ value, scriptPubKey: { type, addresses } }: NodeOutput) => ({
    ...((bareKeys || type !== 'pubkey') && addresses && { scriptpubkey_address: addresses[0] }),
    value: satoshis(value),
  })
  return block.tx.map((tx) => {
    const vin = tx.vin.map((one) => ({
      is_coinbase: one.coinbase !== undefined,
      prevout:
        one.coinbase === undefined
          ? output(spent.get(one.txid!)!.vout.find(({ n }) => n === one.vout)!)
          : null,
    }))
    const vout = tx.vout.map(output)
    const [paid, got] = [vin, vout].map((rows) =>
      rows.reduce((sum, one) => sum + ('prevout' in one ? (one.prevout?.value ?? 0) : one.value), 0),
    ) as [number, number]
    return {
      txid: tx.txid,
      vin,
      vout,
      fee: vin.some((one) => one.is_coinbase) ? 0 : paid - got,
      status: { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time },
    }
  })
}

/** The block as the network sends it, of the parts that the node gave. */
function rawBlock(block: NodeBlock): string {
  const reversed = (hash: string) => Buffer.from(hash, 'hex').reverse()
  const header = Buffer.alloc(80)
  header.writeUInt32LE(block.version, 0)
  header.set(reversed(block.previousblockhash ?? '0'.repeat(64)), 4)
  header.set(reversed(block.merkleroot), 36)
  header.writeUInt32LE(block.time, 68)
  header.set(reversed(block.bits), 72)
  header.writeUInt32LE(block.nonce, 76)
  return (
    header.toString('hex') +
    Buffer.of(block.tx.length).toString('hex') +
    block.tx.map(({ hex }) => hex).join('')
  )
}

const closes: (() => void)[] = []
afterAll(() => closes.forEach((close) => close()))

/** The Esplora adapter on a server that replays answers by path. */
async function replay(answers: Record<string, unknown>) {
  const fixtures = Object.entries(answers).map(([path, body]) => ({
    source: 'esplora',
    method: 'GET' as const,
    path,
    status: 200,
    contentType: 'application/json',
    text: JSON.stringify(body),
  }))
  const { url, close } = await startReplay(fixtures)
  const http = freeHttp({ esplora: { url } })
  closes.push(close, () => void http.close())
  return createEsplora({ http, url, reorgDepth: 100 })
}

describe.skipIf(!realdata)('recorded Bitcoin through the Esplora adapter', () => {
  test.each(['block_0', 'block_1', 'block_without_transactions', 'stream_50001_50002'])(
    'blocks of %s have every transaction, output and satoshi',
    (folder) => {
      const { blocks, spent, expected } = readFolder(folder)
      const rows = blocks.flatMap((block) => esploraRows(block, spent, true))
      const decoded = rows.map((row) => decodeUtxoTransaction(esploraTransaction.parse(row)!))
      expect(decoded.map(({ transaction }) => transaction.hash)).toEqual(expected.map(({ hash }) => hash))
      decoded.forEach(({ transfers, transaction }, i) => {
        const { input_count: inputs, input_value: paid, output_value: got } = expected[i]!
        const sum = (kind: string) =>
          transfers.filter((one) => one.kind === kind).reduce((total, one) => total + one.raw, 0n)
        expect(transfers.filter(({ kind }) => kind === 'input')).toHaveLength(inputs)
        expect([sum('input'), sum('output')]).toEqual([BigInt(paid), BigInt(got)])
        expect(transaction.value).toBe(BigInt(paid))
      })
    },
  )

  test.each([
    'block_0',
    'block_1',
    'block_with_transactions',
    'block_without_transactions',
    'stream_50001_50002',
  ])('raw blocks of %s are proven by their headers, and name every output and what they spend', (folder) => {
    const { blocks } = readFolder(folder)
    expect(blocks.length).toBeGreaterThan(0)
    for (const block of blocks) {
      const asked = { source: 'esplora', hash: block.hash, hex: rawBlock(block) }
      const parsed = parseBitcoinBlock(asked)
      expect(parsed.parentHash).toBe(block.previousblockhash ?? '0'.repeat(64))
      expect(parsed.atMs).toBe(block.time * 1_000)
      expect(parsed.transactions).toEqual(
        block.tx.map(({ txid, vin, vout }) => ({
          txid,
          spends: vin.flatMap((one) => (one.txid ? [{ txid: one.txid, position: one.vout }] : [])),
          scripts: vout.map(({ scriptPubKey }) => scriptPubKey.hex),
        })),
      )
      for (const { scriptPubKey } of block.tx.flatMap(({ vout }) => vout))
        expect(addressOf(scriptPubKey.hex)).toBe(
          scriptPubKey.type === 'pubkey' ? null : scriptPubKey.addresses![0],
        )
      const cut = { ...block, tx: block.tx.slice(0, -1) }
      expect(() => parseBitcoinBlock({ ...asked, hex: rawBlock(cut) })).toThrow(SourceUnavailable)
      expect(() => parseBitcoinBlock({ ...asked, hash: 'f'.repeat(64) })).toThrow('the answer for block')
    }
  })

  test('reads the history of an address in blocks 50001 and 50002', async () => {
    const address = '1HaHTfmvoUW6i6nhJf8jJs6tU4cHNmBQHQ'
    const { blocks, spent } = readFolder('stream_50001_50002')
    const [lower, upper] = blocks.sort((a, b) => a.height - b.height) as [NodeBlock, NodeBlock]
    const headers = [upper, lower].map((one) => ({
      id: one.hash,
      height: one.height,
      timestamp: one.time,
      previousblockhash: one.previousblockhash,
    }))
    const rows = blocks.flatMap((block) => esploraRows(block, spent, false)).reverse()
    const mine = rows.filter(({ vout }) => vout.some((one) => one.scriptpubkey_address === address))
    const source = await replay({
      '/blocks': headers,
      [`/blocks/${upper.height}`]: headers,
      [`/address/${address}/txs/chain`]: mine,
      [`/address/${address}`]: {
        chain_stats: { tx_count: 2, funded_txo_sum: 15_000_000_000, spent_txo_sum: 0 },
      },
    })
    const range = await fullHistory(source, address)
    expect(range.transactions).toHaveLength(2)
    expect(range.transfers.filter((one) => one.to === address).map((one) => one.raw)).toEqual([
      5_000_000_000n,
      10_000_000_000n,
    ])
    expect(new Set(range.blocks.map(({ number }) => number))).toEqual(new Set([50_001, 50_002]))
    const balance = await source.readBalances({ address, accounts: [], tokens: [], headBlock: upper.height })
    expect(balance.native).toBe(15_000_000_000n)
  })

  test('the changes of 13 transactions add up to the balance of a segwit address', async () => {
    const [name] = readdirSync(BLOCKBOOK).filter((one) => one.startsWith(`bitcoin-api_v2_address_${ADDRESS}`))
    const recorded = readJson(join(BLOCKBOOK, name!))
    const output = (one: any) => ({ scriptpubkey_address: one.addresses[0], value: Number(one.value) })
    const rows = recorded.transactions.map((tx: any) => ({
      txid: tx.txid,
      fee: Number(tx.fees),
      vout: tx.vout.map(output),
      vin: tx.vin.map((one: any) => ({ prevout: output(one) })),
      status: {
        confirmed: true,
        block_height: tx.blockHeight,
        block_hash: tx.blockHash,
        block_time: tx.blockTime,
      },
    }))
    const newest = recorded.transactions[0]
    const tip = {
      height: newest.blockHeight + newest.confirmations - 1,
      id: 'f'.repeat(64),
      timestamp: newest.blockTime + 1_000,
    }
    const source = await replay({
      '/blocks': [tip],
      [`/blocks/${tip.height}`]: [tip],
      [`/address/${ADDRESS}/txs/chain`]: rows,
      [`/address/${ADDRESS}`]: {
        chain_stats: {
          tx_count: recorded.txs,
          funded_txo_sum: Number(recorded.totalReceived),
          spent_txo_sum: Number(recorded.totalSent),
        },
      },
    })
    const { transactions, transfers } = await fullHistory(source, ADDRESS)
    expect(transactions).toHaveLength(13)
    const change = transfers.reduce((sum, one) => {
      return one.to === ADDRESS ? sum + one.raw : one.from === ADDRESS ? sum - one.raw : sum
    }, 0n)
    expect(change).toBe(16_245n)
    expect(
      (await source.readBalances({ address: ADDRESS, accounts: [], tokens: [], headBlock: tip.height }))
        .native,
    ).toBe(change)
  })

  test('each recorded transaction of a zpub touches an address derived from it', () => {
    const [name] = readdirSync(BLOCKBOOK).filter((one) => one.startsWith(`bitcoin-api_v2_xpub_${ZPUB}`))
    const { transactions } = readJson(join(BLOCKBOOK, name!))
    const walk = bitcoinAddresses(ZPUB)
    const derived = new Set(
      [0, 1].flatMap((branch) => Array.from({ length: 100 }, (_, i) => walk.addressAt(branch, i))),
    )
    expect(transactions).toHaveLength(10)
    for (const tx of transactions) {
      const parties = [...tx.vin, ...tx.vout].flatMap((one: { addresses: string[] }) => one.addresses)
      expect(
        parties.some((one) => derived.has(one)),
        tx.txid,
      ).toBe(true)
    }
  })
})
