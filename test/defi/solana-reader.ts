import { base58 } from '@scure/base'
import type { HttpClient } from '../../activities/http-client.ts'
import { createSolanaClient } from '../../activities/nodes/solana-client.ts'
import { readAtFinalSlot } from '../../activities/defi/solana/slot-reader.ts'
import type { SolanaProtocol } from '../../activities/defi/solana/protocol.ts'
import type { AssetRole, Position } from '../../activities/defi/position.ts'
import {
  accountsOfProgram,
  encodedAccount,
  type ProgramAccount,
} from '../../sandbox/solana/program-accounts.ts'

export interface SolanaState {
  slot: number
  epoch: number
  slotIndex: number
  slotsInEpoch: number
  /** seconds */
  time: number
  accounts: readonly ProgramAccount[]
  /** Base units that the account holds, by mint. */
  tokens?: Record<string, bigint>
  /** Mints of tokens that have left since the last sync. */
  gone?: readonly string[]
  /** Programs whose accounts the node does not list. */
  refused?: readonly string[]
}

/** A node that has one state. */
export function nodeWith(state: SolanaState): Pick<HttpClient, 'fetchJson'> {
  const { slot, accounts, tokens = {}, gone = [], refused = [] } = state
  const context = { slot }
  const byAddress = new Map(accounts.map((one) => [one.address, one]))
  function answer(method: string, params: any[]): unknown {
    const options = params[1] as { minContextSlot?: number; filters: never[] } | undefined
    if ((options?.minContextSlot ?? 0) > slot) return { error: { code: -32016, message: 'behind' } }
    switch (method) {
      case 'getEpochInfo': {
        const { epoch, slotIndex, slotsInEpoch } = state
        return { result: { absoluteSlot: slot, blockHeight: slot, epoch, slotIndex, slotsInEpoch } }
      }
      case 'getBlockTime':
        return { result: state.time }
      case 'getMultipleAccounts': {
        const found = (params[0] as string[]).map((address) => byAddress.get(address))
        return { result: { context, value: found.map((one) => (one ? encodedAccount(one) : null)) } }
      }
      case 'getProgramAccounts': {
        const [program] = params as [string]
        if (refused.includes(program))
          return { error: { code: 410, message: 'The RPC call or parameters have been disabled.' } }
        return { result: { context, value: accountsOfProgram(accounts, { program, ...options! }) } }
      }
      case 'getTokenAccountsByOwner': {
        const isFirst = params[1].programId === 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
        const held = Object.entries(isFirst ? tokens : {}).filter(([mint]) => !gone.includes(mint))
        const value = held.map(([mint, amount]) => ({
          pubkey: mint,
          account: { data: { parsed: { info: { mint, tokenAmount: { amount: String(amount) } } } } },
        }))
        return { result: { context, value } }
      }
      default:
        throw new Error(`not asked of nodes: ${method}`)
    }
  }
  return {
    async fetchJson({ body, schema }) {
      const { method, params } = body as { method: string; params: any[] }
      return schema.parse(answer(method, params))
    },
  }
}

/** A token account, of which programs read mint and amount. */
export function tokenAccountOf({ address, mint, amount }: { address: string; mint: string; amount: bigint }) {
  const data = Buffer.alloc(165)
  data.set(base58.decode(mint))
  data.writeBigUInt64LE(amount, 64)
  return { address, owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', lamports: 2_039_280n, data }
}

/** What a protocol reads of an account at a state, which received all tokens that it holds. */
export async function readSolana(
  protocol: SolanaProtocol,
  { account, ...state }: SolanaState & { account: string },
) {
  const client = createSolanaClient({ http: nodeWith(state) as HttpClient, url: 'http://node' })
  const reader = await readAtFinalSlot(client, () => {})
  const received = Object.keys(state.tokens ?? {})
  const nfts = received.filter((mint) => state.tokens?.[mint] === 1n)
  return await protocol.read({ reader, account, received, nfts, held: () => reader.tokensOf(account) })
}

/** Sum of the assets of a role, in base units. */
export const sumOf = ({ assets }: Position, role: AssetRole): bigint =>
  assets.filter((one) => one.role === role).reduce((sum, { raw }) => sum + raw, 0n)
