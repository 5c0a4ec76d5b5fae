import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeKoios, koiosTransaction } from '../../activities/chain/sources/koios-transaction.ts'
import { createKoiosApi } from '../../activities/chain/sources/koios-api.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { cardanoWallets, usdc } from '../../sandbox/cardano/actors.ts'
import { createKoios } from '../../sandbox/cardano/koios.ts'
import { createCardanoChain } from '../../sandbox/cardano/ledger.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { freeHttp } from '../chain/free-http.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { installPythonTool } from './install-python-tool.ts'
import { npmFiles } from './npm-files.ts'

// koios_api, a Python client of Koios, reads the double unmodified. Its documentation has recorded answers of Koios.
// The types of @rosen-clients/cardano-koios are generated from the specification that Koios publishes.

type Row = Record<string, unknown>

const run = promisify(execFile)
const chain = createCardanoChain({ market })
const height = chain.tipAt(ANCHOR)
const [account, single] = [cardanoWallets[0]!, cardanoWallets[1]!]
const server = createSandboxServer({
  mounts: [{ base: '/koios', upstream: createKoios(() => chain) }],
  faults: createFaults(),
  nowMs: () => ANCHOR * 1_000,
})
let url: string
let answers: Record<string, Row[]>
let documents: string

beforeAll(async () => {
  const programs = await installPythonTool({ name: 'koios-api', requirements: ['koios-api==1.1.0.1'] })
  const [file] = globSync(join(programs, '../lib/python*/site-packages/koios_api-*.dist-info/METADATA'))
  documents = readFileSync(file!, 'utf8')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/koios/api/v1`
  const script = join(import.meta.dirname, 'koios_reads.py')
  const { stdout } = await run(join(programs, 'python'), [script, account.name, single.name, usdc.unit], {
    env: { API_BASE_URL: url, KOIOS_API_TOKEN: 'token' },
    maxBuffer: 64 * 1_024 * 1_024,
    timeout: 60_000,
  })
  answers = JSON.parse(stdout) as Record<string, Row[]>
}, 300_000)
afterAll(() => (server.close(), server.closeAllConnections()))

/** The first row of the recorded answer of Koios below a heading of the client's documentation. */
function recorded(call: string): Row {
  const [, section = ''] = documents.split(`#### ${call}\n`)
  const [, text = ''] = /```json\n\[\n([\s\S]*?\n {2}\})/.exec(section) ?? []
  return JSON.parse(text) as Row
}

test('the client reads what the chain has: lists, transactions, balances and tokens', () => {
  const isOf = ({ stake }: { stake: string | null }) => stake === account.stake
  const txs = chain.txs(height).filter(({ inputs, outputs }) => inputs.some(isOf) || outputs.some(isOf))
  const sum = (all: readonly { value: bigint }[]) => all.reduce((total, { value }) => total + value, 0n)
  expect(answers['get_tip']).toMatchObject([{ block_height: height, hash: chain.hashAt(height) }])
  expect(answers['get_blocks']!.map((one) => one['block_height'])).toEqual(
    [0, 1, 2].map((i) => chain.firstBlock + i),
  )
  expect(answers['get_account_txs']!.map((one) => one['tx_hash'])).toEqual(txs.map(({ hash }) => hash))
  expect(answers['get_account_info']).toMatchObject([
    { utxo: String(sum(chain.unspent(height).filter(isOf))) },
  ])
  const unspent = chain.unspent(height).filter(({ address }) => address === single.name)
  expect(answers['get_address_info']).toMatchObject([
    {
      balance: String(sum(unspent)),
      stake_address: single.stake,
      utxo_set: unspent.map(({ tx }) => ({ tx_hash: tx })),
    },
  ])
  expect(answers['get_asset_info']).toMatchObject([
    { token_registry_metadata: { ticker: 'USDC', decimals: 6 } },
  ])
  expect(new Set(answers['get_tx_info']!.map((one) => one['fee']))).toEqual(
    new Set([txs[0]!, txs.at(-1)!].map(({ fee }) => String(fee))),
  )
})

describe('recorded answers of Koios', () => {
  test.each([
    'get_tip',
    'get_blocks',
    'get_account_txs',
    'get_address_txs',
    'get_address_info',
    'get_tx_info',
  ])('%s has fields that the double has too, of the same types', (call) => {
    const typesOf = (row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : typeof value]),
      )
    const [old, ours] = [typesOf(recorded(call)), typesOf(answers[call]![0]!)]
    for (const [name, type] of Object.entries(old)) {
      expect(ours, name).toHaveProperty(name)
      if (type !== null && ours[name] !== null) expect(`${name}: ${ours[name]}`).toBe(`${name}: ${type}`)
    }
  })

  test('a recorded transaction burns tokens: what went in came out, except the fee', () => {
    const { transaction, transfers } = decodeKoios(koiosTransaction.parse(recorded('get_tx_info')))
    const sum = (kind: string, isFrom: boolean) =>
      transfers.reduce(
        (total, one) => (one.kind === kind && (one.from !== '') === isFrom ? total + one.raw : total),
        0n,
      )
    expect(transaction).toMatchObject({ fee: 182_001n, blockNumber: 8_129_401, atMs: 1_670_833_226_000 })
    expect(sum('input', true)).toBe(sum('output', false) + transaction.fee)
    expect([sum('issued', true), sum('issued', false)]).toEqual([4n, 1n])
    expect(transfers.some(({ kind }) => kind === 'rent')).toBe(false)
    for (const { from, to } of transfers) expect(parseWalletAddress(from || to)?.kind).toBe('cardano')
  })

  test('the slot of a recorded block follows from its time, by which first blocks of epochs are found', async () => {
    const block = recorded('get_blocks') as { abs_slot: number; block_time: number }
    const http = freeHttp({ koios: { url } })
    const api = createKoiosApi({ http, url, key: null })
    const epochs = await api.firstBlocks([600, 601])
    await http.close()
    for (const { number } of epochs.values()) expect(number).toBeGreaterThan(chain.firstBlock)
    const zero = block.block_time - block.abs_slot
    const [tip] = answers['get_tip'] as { abs_slot: number; block_time: number }[]
    expect(tip!.block_time - tip!.abs_slot).toBe(zero)
  })
})

describe('the published types', () => {
  const TYPES: Record<string, string> = {
    get_tip: 'tipItem',
    get_blocks: 'blocksItem',
    get_epoch_info: 'epochInfoItem',
    get_account_info: 'accountInfoItem',
    get_account_assets: 'accountAssetsItem',
    get_address_txs: 'addressTxsItem',
    get_address_info: 'addressInfoItem',
    get_address_assets: 'addressAssetsItem',
    get_tx_info: 'txInfoItem',
    get_asset_info: 'assetInfoItem',
  }

  test.each(Object.entries(TYPES))('%s: the double has each field of %s', async (call, type) => {
    const file = `dist/types/${type}.d.ts`
    const files = Object.values(TYPES).map((one) => `dist/types/${one}.d.ts`)
    const folder = await npmFiles({ pinned: '@rosen-clients/cardano-koios@3.1.0', files })
    const [, body = ''] = readFileSync(join(folder, file), 'utf8').split(/export (?:interface|type) /)
    const fields = [...body.matchAll(/^\s{4}'?(\w+)'?\??:/gm)].map(([, name]) => name!)
    expect(fields.length).toBeGreaterThan(3)
    expect(Object.keys(answers[call]![0]!)).toEqual(expect.arrayContaining(fields))
  })
})
