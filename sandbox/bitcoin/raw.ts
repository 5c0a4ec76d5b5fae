import { hash } from 'node:crypto'
import { address as addresses, Block as RawBlock, networks, payments, Transaction } from 'bitcoinjs-lib'
import { parseCashAddress } from '../../db/values/utxo-address.ts'
import { type CoinNetwork, hashOf } from './actors.ts'
import type { Output, PlannedTx } from './plan.ts'

/** Data of an output without an address. */
const dataScript = '6a0c73616e64626f782064617461'
const versionBits = 0x2000_0000
const target = 0x1704_0000

const bytesOf = (id: string): Buffer => Buffer.from(id, 'hex').reverse()
const idOf = (bytes: Uint8Array): string => Buffer.from(bytes).reverse().toString('hex')
const twice = (data: Buffer): Buffer => hash('sha256', hash('sha256', data, 'buffer'), 'buffer')

export function scriptOf({ address }: Output, network: CoinNetwork = networks.bitcoin): Buffer {
  if (address === null) return Buffer.from(dataScript, 'hex')
  if (network.cash === undefined) return Buffer.from(addresses.toOutputScript(address, network))
  const found = parseCashAddress(network.cash, address)
  if (!found) throw new Error(`sandbox: ${address} is no address`)
  const { hash } = found
  return Buffer.from((found.pays === 'key' ? payments.p2pkh({ hash }) : payments.p2sh({ hash })).output!)
}

const isSegwit = (address: string, { bech32 }: CoinNetwork): boolean =>
  bech32 !== '' && address.startsWith(`${bech32}1`)

/** The transaction as the network sends it. Its signatures have the right size and sign nothing. */
export function rawTransaction(
  { vin, vout }: Pick<PlannedTx, 'vin' | 'vout'>,
  network: CoinNetwork = networks.bitcoin,
): Transaction {
  const raw = new Transaction()
  raw.version = 2
  vin.forEach(({ txid, vout: index, address }, i) => {
    const key = Buffer.from(`02${hashOf(address)}`, 'hex')
    const signature = Buffer.alloc(71, i)
    const legacy = Buffer.concat([Buffer.of(71), signature, Buffer.of(33), key])
    raw.addInput(bytesOf(txid), index, 0xffff_fffd, isSegwit(address, network) ? Buffer.of() : legacy)
    if (isSegwit(address, network)) raw.setWitness(i, [signature, key])
  })
  for (const output of vout) raw.addOutput(scriptOf(output, network), BigInt(output.value))
  return raw
}

/** The miner's transaction: it names the height, and the branch in the key that is paid. */
function coinbase(height: number, branch: string): Buffer {
  const heightBytes = Buffer.alloc(4)
  heightBytes.writeUInt32LE(height)
  const input = `${'00'.repeat(32)}ffffffff0403${heightBytes.toString('hex', 0, 3)}ffffffff`
  const output = `40be401200000000160014${hashOf(branch).slice(0, 40)}`
  return Buffer.from(`0200000001${input}01${output}00000000`, 'hex')
}

export type BlockPlan = {
  /** Absent: Bitcoin's. */
  network?: CoinNetwork
  height: number
  previous: string
  at: number
  branch: string
  txs: readonly PlannedTx[]
}

function header({ network, height, previous, at, branch, txs }: BlockPlan): Buffer {
  const miners = coinbase(height, branch)
  const root =
    txs.length === 0
      ? twice(miners)
      : RawBlock.calculateMerkleRoot([
          Transaction.fromBuffer(miners),
          ...txs.map((tx) => rawTransaction(tx, network)),
        ])
  const bytes = Buffer.alloc(80)
  bytes.writeUInt32LE(versionBits, 0)
  bytes.set(bytesOf(previous), 4)
  bytes.set(root, 36)
  bytes.writeUInt32LE(at, 68)
  bytes.writeUInt32LE(target, 72)
  return bytes
}

/** Hash of the header. No work is proved. */
export const blockIdOf = (plan: BlockPlan): string => idOf(twice(header(plan)))

export function rawBlock(plan: BlockPlan): Buffer {
  const { txs, network } = plan
  if (txs.length > 250) throw new Error('sandbox bitcoin: the number of transactions needs one byte')
  const bodies = txs.map((tx) => rawTransaction(tx, network).toBuffer())
  return Buffer.concat([
    header(plan),
    Buffer.of(txs.length + 1),
    coinbase(plan.height, plan.branch),
    ...bodies,
  ])
}
