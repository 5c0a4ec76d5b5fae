import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { TOPICS } from '../../activities/chain/sources/decode-log.ts'
import { networkNamed } from '../../db/values/networks.ts'
import { type Anvil, startAnvil } from '../setup/anvil.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { syncDirectly, testNetwork } from './sync-directly.ts'
import { switchedNode } from './two-branches.ts'

// A network beyond `all` whose native coin is a token too: CELO. A contract at its address moves native coins by
// `transfer`, tells it by Transfer, and shows native balances.

const { id: networkId, chainId, nativeToken } = networkNamed('celo')!
const CELO = nativeToken!
const WALLET = '0x00000000000000000000000000000000000000ce'
const ETHER = 10n ** 18n
const hex = (value: bigint) => `0x${value.toString(16)}`
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')

/** transfer(to, value): sends the contract's own coins. Other calls, such as balanceOf(account): the native balance. */
const CODE = `0x${[
  '36604411604957', // shorter than two arguments: to 0x49
  '6000600060006000', // call: no output, no input,
  '6024356004355af150', // with the value, to the receiver
  '602435600052600435', // log: the value; receiver,
  `307f${TOPICS.transfer.slice(2)}`, // sender (this contract), event
  '60206000a300',
  '5b6004353160005260206000f3', // 0x49: the native balance of the account
].join('')}`

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
let node: Anvil
let noTraces: Awaited<ReturnType<typeof switchedNode>>

beforeAll(async () => {
  node = await startAnvil(['--no-mining', '--order', 'fifo', '--chain-id', String(chainId)])
  noTraces = await switchedNode(node, /^(trace|debug)_/)
  await insertCoin(owner.db, { id: 'celo', symbol: 'celo', priceUsd: '0.5', at: new Date() })
  await owner.pool.query(
    `insert into coin_contracts (blockchain, address, coin_id, source, fetched_at) values ('celo', $1, 'celo', 'test', now())`,
    [CELO],
  )
  await node.call('anvil_setCode', CELO, CODE)
  await node.call('anvil_setBalance', CELO, hex(10n * ETHER))
})
afterAll(async () => {
  await Promise.all([close(), owner.close(), noTraces.stop()])
  await node.stop()
})

test('what the token of a native coin moves is native, known without traces, and counts once', async () => {
  const [sender] = (await node.call('eth_accounts')) as [string]
  const transfer = `0xa9059cbb${word(WALLET)}${word(3n * ETHER)}`
  await node.call('eth_sendTransaction', { from: sender, to: CELO, data: transfer, gas: hex(200_000n) })
  await node.call('anvil_mine', '0x1')
  await node.call('eth_sendTransaction', { from: sender, to: WALLET, value: hex(2n * ETHER) })
  await node.call('anvil_mine', '0x60')
  // The contract shows the native balance, so reading both would count it twice.
  const asked = { to: CELO, data: `0x70a08231${word(WALLET)}` }
  expect(BigInt(await node.call('eth_call', asked, 'latest'))).toBe(5n * ETHER)

  const network = await testNetwork(pool, { networkId, url: noTraces.url })
  const { walletId, openings } = await syncDirectly({ pool, network, address: WALLET })
  expect(openings).toBe(0)
  const { rows: balances } = await pool.query(
    'select coin_id, token_address, raw from balances where wallet_id = $1',
    [walletId],
  )
  expect(balances).toEqual([{ coin_id: 'celo', token_address: null, raw: String(5n * ETHER) }])
  const { rows: transfers } = await pool.query(
    `select kind, token_address, from_address, raw from transfers where network_id = $1 and to_address = $2 order by block_number`,
    [networkId, WALLET],
  )
  expect(transfers).toEqual([
    { kind: 'internal', token_address: null, from_address: CELO, raw: String(3n * ETHER) },
    { kind: 'native', token_address: null, from_address: sender.toLowerCase(), raw: String(2n * ETHER) },
  ])
  const { rows: movements } = await pool.query(
    'select coin_id, raw from movements where wallet_id = $1 order by at, tx_index',
    [walletId],
  )
  expect(movements).toEqual([
    { coin_id: 'celo', raw: String(3n * ETHER) },
    { coin_id: 'celo', raw: String(2n * ETHER) },
  ])
})
