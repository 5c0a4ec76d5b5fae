import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { address as addresses, type Network, Transaction } from 'bitcoinjs-lib'
import { afterAll, describe, expect, test } from 'vitest'
import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { createBlockbookApi } from '../../activities/chain/sources/blockbook.ts'
import { createUtxoSource } from '../../activities/chain/sources/utxo.ts'
import { cashAddress, parseUtxoAddress } from '../../db/values/utxo-address.ts'
import { networkWithId } from '../../db/values/networks.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'

/** Answers of Trezor's Blockbooks that Trust Wallet recorded. */
const FOLDER = join(realdata ?? '', 'blockatlas/mock/ext-api-data')

const closes: (() => void)[] = []
afterAll(() => closes.forEach((close) => close()))

interface Recorded {
  address: string
  balance: string
  totalReceived: string
  transactions: {
    txid: string
    hex: string
    blockHash: string
    blockHeight: number
    blockTime: number
    confirmations: number
    valueIn: string
    value: string
    fees: string
    vin: { addresses: string[]; isAddress: boolean; value: string }[]
    vout: { addresses: string[]; isAddress: boolean; value: string; hex: string }[]
  }[]
  tokens?: { name: string; path: string }[]
}

const recorded = (start: string): Recorded => {
  const [name] = readdirSync(FOLDER).filter((one) => one.startsWith(start))
  return JSON.parse(readFileSync(join(FOLDER, name!), 'utf8')) as Recorded
}

const COINS = [
  {
    id: 'litecoin',
    address: 'litecoin-api_v2_address_',
    key: 'litecoin-api_v2_xpub_',
    transactions: 19,
  },
  { id: 'dogecoin', address: 'doge-api_v2_address_', key: 'doge-api_v2_xpub_', transactions: 12 },
  // Its list is cut off.
  {
    id: 'bitcoin-cash',
    address: 'bitcoincash-api_v2_address_',
    key: 'bitcoincash-api_v2_xpub_',
    transactions: null,
  },
] as const

/** The adapter on a server that replays answers by path. */
async function replay(id: (typeof COINS)[number]['id'], answers: Record<string, unknown>) {
  const name = `${id}-blockbook`
  const fixtures = Object.entries(answers).map(([path, body]) => ({
    source: name,
    method: 'GET' as const,
    path,
    status: 200,
    contentType: 'application/json',
    text: JSON.stringify(body),
  }))
  const { url, close } = await startReplay(fixtures)
  const http = freeHttp({ [name]: { url } })
  closes.push(close, () => void http.close())
  const { utxo, reorgDepth } = networkWithId(id)
  const formats = utxo!
  return createUtxoSource({ api: createBlockbookApi({ http, name, url, formats }), formats, reorgDepth })
}

describe.skipIf(!realdata).each(COINS)('recorded answers of Blockbook for $id', ({ id, ...files }) => {
  const formats = networkWithId(id).utxo!
  /** What bitcoinjs-lib, which is not ours, makes of a script. */
  const network: Network = {
    messagePrefix: '',
    bech32: formats.segwit ?? '',
    bip32: { public: 0, private: 0 },
    pubKeyHash: formats.keyHash,
    scriptHash: formats.scriptHash,
    wif: 0,
  }

  /** Of CashAddr, which bitcoinjs-lib does not know, it gives the hash. */
  function spelled(script: Buffer): string {
    const address = addresses.fromOutputScript(script, network)
    if (formats.cash === null) return address
    const { hash, version } = addresses.fromBase58Check(address)
    return cashAddress(formats.cash, { pays: version === formats.keyHash ? 'key' : 'script', hash })
  }
  const short = (address: string) => address.replace('bitcoincash:', '')

  test.skipIf(files.transactions === null)(
    'the changes of its transactions add up to the balance of an address',
    async () => {
      const answer = recorded(files.address)
      const { address } = answer
      const newest = answer.transactions[0]!
      const height = newest.blockHeight + newest.confirmations - 1
      const head = 'f'.repeat(64)
      const query = `details=txslight&pageSize=50&page=1&to=${height}`
      const source = await replay(id, {
        '/api/status': { blockbook: { bestHeight: height } },
        [`/api/v2/block-index/${height}`]: { blockHash: head },
        [`/api/v2/block/${head}`]: { hash: head, height, time: newest.blockTime + 1_000 },
        [`/api/v2/address/${address}?${query}`]: answer,
        // Payments after the head, of which there were none.
        [`/api/v2/address/${address}?${query.replace(/to=.*/, 'to=1000000000')}`]: answer,
        [`/api/v2/address/${address}?details=basic`]: answer,
      })
      const { transactions, transfers } = await fullHistory(source, address)
      expect(transactions).toHaveLength(files.transactions!)
      const sum = (of: (transfer: (typeof transfers)[number]) => bigint) =>
        transfers.reduce((total, one) => total + of(one), 0n)
      const received = sum(({ to, raw }) => (to === address ? raw : 0n))
      expect(received).toBe(BigInt(answer.totalReceived))
      expect(received - sum(({ from, raw }) => (from === address ? raw : 0n))).toBe(BigInt(answer.balance))
      const { native } = await source.readBalances({ address, accounts: [], tokens: [], headBlock: height })
      expect(native).toBe(BigInt(answer.balance))
      for (const [i, { fee, value }] of transactions.entries()) {
        expect(fee).toBe(BigInt(answer.transactions[i]!.valueIn) - BigInt(answer.transactions[i]!.value))
        expect(value).toBe(BigInt(answer.transactions[i]!.valueIn))
      }
    },
  )

  test('each address of its transactions is one of the network, and of no network of `all`', () => {
    const txs = [files.address, files.key].flatMap((file) => recorded(file).transactions)
    const seen = txs.flatMap(({ vin, vout }) => [...vin, ...vout]).filter(({ isAddress }) => isAddress)
    expect(seen.length).toBeGreaterThan(25)
    for (const { addresses: found } of seen) {
      expect(parseUtxoAddress(formats, found[0]!)).toBe(short(found[0]!))
      expect(parseWalletAddress(found[0]!)).toEqual({ kind: 'utxo', address: short(found[0]!) })
    }
    for (const { addresses: found, hex, isAddress } of txs.flatMap(({ vout }) => vout))
      if (isAddress) expect(spelled(Buffer.from(hex, 'hex'))).toBe(short(found[0]!))
    for (const { txid, hex } of txs) expect(Transaction.fromHex(hex).getId()).toBe(txid)
  })

  test('the addresses of an extended key are those that Blockbook derives', () => {
    const { address: key, tokens } = recorded(files.key)
    const { addressAt } = bitcoinAddresses(key, formats)
    expect(tokens!.length).toBeGreaterThan(0)
    for (const { name, path } of tokens!) {
      const [branch, index] = path.split('/').slice(-2).map(Number) as [number, number]
      expect(addressAt(branch, index)).toBe(short(name))
    }
  })
})
