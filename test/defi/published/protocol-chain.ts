import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
} from 'viem'
import { anvil as anvilChain } from 'viem/chains'
import { MULTICALL3 } from '../../../db/values/networks/network.ts'
import { readAtHead } from '../../../activities/defi/block-reader.ts'
import { heldTokens } from '../../../activities/defi/held-tokens.ts'
import type { Position, Protocol } from '../../../activities/defi/position.ts'
import { createRpcClient } from '../../../activities/nodes/rpc-client.ts'
import { codeOf } from '../../../sandbox/chain/calls.ts'
import { startAnvil } from '../../setup/anvil.ts'
import type { Published } from './published.ts'

export interface Deployed {
  address: Address
  abi: Abi
}

/** Protocols are deployed with their libraries, some larger than a network would take. */
const LIMITS = ['--gas-limit', '1000000000', '--code-size-limit', '100000']

export type ProtocolChain = Awaited<ReturnType<typeof startProtocolChain>>

/** A node on which the published contracts of protocols are deployed and used. Each transaction has its block. */
export async function startProtocolChain(args: string[] = []) {
  const node = await startAnvil(['--no-mining', '--base-fee', '0', ...LIMITS, '--auto-impersonate', ...args])
  await node.call('anvil_setCode', MULTICALL3, codeOf('Multicall3'))
  const transport = http(node.url)
  const options = { chain: anvilChain, transport, pollingInterval: 5, cacheTime: 0 }
  const client = createPublicClient(options)
  const wallet = createWalletClient(options)
  const test = createTestClient({ ...options, mode: 'anvil' }).extend(publicActions)
  const accounts = (await node.call('eth_accounts')) as Address[]
  const [deployer, ...users] = accounts as [Address, ...Address[]]

  /** Sends a transaction and waits until it is mined. Throws if it reverts. */
  async function send(from: Address, to: Address | null, data: `0x${string}`, value = 0n): Promise<Address> {
    // Free, so that contracts can send too.
    const fee = { gas: 900_000_000n, gasPrice: 0n }
    const hash = await wallet.sendTransaction({ account: from, to, data, value, ...fee })
    await test.mine({ blocks: 1 })
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${data.slice(0, 10)} at ${to} reverted`)
    return receipt.contractAddress ?? deployer
  }

  return {
    node,
    deployer,
    users,
    stop: node.stop,

    deploy: async ({ abi, bytecode }: Published, args: readonly unknown[] = []): Promise<Deployed> => {
      const data = encodeDeployData({ abi, bytecode, args } as Parameters<typeof encodeDeployData>[0])
      return { address: await send(deployer, null, data), abi }
    },

    write: async (
      from: Address,
      { address, abi }: Deployed,
      functionName: string,
      args: readonly unknown[],
      value = 0n,
    ): Promise<void> => {
      await send(from, address, encodeFunctionData({ abi, functionName, args }), value)
    },

    /** Does a step at random: one that the protocol refuses is undone whole, also what its first calls did. */
    attempt: async (step: () => Promise<void>): Promise<void> => {
      const id = await test.snapshot()
      await step().catch(async (error: unknown) => {
        if (!String(error).includes('reverted')) throw error
        await test.revert({ id })
      })
    },

    /** The answer of a function, without sending it. */
    ask: async <T>(
      from: Address,
      { address, abi }: Deployed,
      functionName: string,
      args: readonly unknown[],
    ): Promise<T> => {
      const { result } = await client.simulateContract({ account: from, address, abi, functionName, args })
      return result as T
    },

    /** Unix seconds of the newest block. */
    nowS: async (): Promise<number> => Number((await client.getBlock()).timestamp),

    /** Mines a block `seconds` later. */
    wait: async (seconds: number): Promise<void> => {
      await test.increaseTime({ seconds })
      await test.mine({ blocks: 1 })
    },

    /** The next block gets the time of the newest one, so that what grows by the second is as it was there. */
    stopClock: async (): Promise<void> => {
      const { timestamp } = await client.getBlock()
      await test.setNextBlockTimestamp({ timestamp })
    },

    /** Runs `of`, undoes what it did on the chain, and gives its result. */
    apart: async <T>(of: () => Promise<T>): Promise<T> => {
      const id = await test.snapshot()
      try {
        return await of()
      } finally {
        await test.revert({ id })
      }
    },

    /** What the protocol's reader says of an account at the newest block. `tokens`, `nfts`: those that came to it. */
    positions: async (
      protocol: Protocol,
      account: Address,
      tokens: readonly Address[] = [],
      nfts: readonly bigint[] = [],
    ): Promise<Position[]> => {
      const rpc = createRpcClient({ url: node.url, source: 'rpc:ethereum' })
      const reader = await readAtHead(rpc, () => {})
      const received = tokens.map((token) => token.toLowerCase())
      const held = heldTokens({ reader, account, tokens: received })
      const reading = await protocol.read({
        reader,
        networkId: 'ethereum',
        account: account.toLowerCase(),
        received,
        held,
        nfts: async () => [...nfts],
      })
      if (reading.unknown.length > 0) throw new Error(reading.unknown.map(({ reason }) => reason).join('; '))
      return reading.positions
    },
  }
}

export const ERC20 = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
])

/** Role, token and base units of the assets of positions, in the order of the positions. */
export const assetsOf = (positions: readonly Position[]) =>
  positions.flatMap(({ assets }) => assets.map(({ role, token, raw }) => [role, token, raw] as const))
