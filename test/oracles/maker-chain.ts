import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Abi, type Address, type Hex, toHex } from 'viem'
import { type Deployed, type ProtocolChain, startProtocolChain } from '../defi/published/protocol-chain.ts'
import { npmFiles } from './npm-files.ts'

const run = promisify(execFile)
const BLOCKS = 669
const SNAPSHOT = 'snapshots/default.tgz'
const ADDRESSES = 'out/addresses-mcd.json'
const GAS = toHex(30_000_000)

interface Block {
  transactions: { from: Address; to: Address | null; value: Hex; data: string }[]
}

export interface MakerChain extends ProtocolChain {
  /** address of a contract by its name in Maker's list, such as `MCD_VAT` */
  at: (key: string) => Address
  /** a contract with the ABI of `name`, such as `Vat` */
  contract: (key: string, name: string) => Deployed
}

/**
 * The deployment of Multi-Collateral Dai that Maker published for tests: every transaction of the chain that
 * @makerdao/testchain ships, sent again in its order, so that all contracts have the addresses of its list.
 */
export async function startMakerChain(names: readonly string[]): Promise<MakerChain> {
  const taken = await npmFiles({
    pinned: '@makerdao/testchain@1.1.32',
    files: [SNAPSHOT, ADDRESSES, ...names.map((name) => `out/mcd/${name}.abi`)],
  })
  const text = (file: string) => readFileSync(join(taken, file), 'utf8')
  const addresses = JSON.parse(text(ADDRESSES)) as Record<string, Address>
  const abis = new Map(names.map((name) => [name, JSON.parse(text(`out/mcd/${name}.abi`)) as Abi]))
  const at = (key: string): Address => addresses[key]!
  const chain = await startProtocolChain()
  await chain.node.call('anvil_setBalance', at('DEPLOYER'), toHex(10n ** 24n))
  for (const block of await blocksOf(join(taken, SNAPSHOT))) await send(chain, block)
  return { ...chain, at, contract: (key, name) => ({ address: at(key), abi: abis.get(name)! }) }
}

/** Ganache keeps each block in a file of its own. */
async function blocksOf(snapshot: string): Promise<Block[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-maker-'))
  const names = Array.from({ length: BLOCKS }, (_, i) => `!blocks!${i + 1}`)
  try {
    await run('tar', ['-xzf', snapshot, '-C', folder, ...names.map((name) => `./${name}`)])
    return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Block)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function send({ node }: ProtocolChain, { transactions }: Block): Promise<void> {
  for (const { from, to, value, data } of transactions) {
    const call = { from, ...(to && { to }), value, data: `0x${data}`, gas: GAS, gasPrice: '0x0' }
    const hash = await node.call('eth_sendTransaction', call)
    await node.call('evm_mine')
    const { status } = (await node.call('eth_getTransactionReceipt', hash)) as { status: Hex }
    if (status !== '0x1') throw new Error(`${data.slice(0, 8)} at ${to} reverted`)
  }
}
