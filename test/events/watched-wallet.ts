import type pg from 'pg'
import { normaliseStep } from '../../activities/chain/normalise-step.ts'
import { verifyBalances } from '../../activities/chain/verify-balances.ts'
import type { WalletSource } from '../../activities/chain/wallet-source.ts'
import { completeSync, startSync } from '../../db/chain/syncs.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { rewindNetwork, writeRange } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const SENDER = address(0xfeed)
const ETHER = 10n ** 18n
export const networkId = 'ethereum'

interface ToldWallet {
  walletId: string
  address: string
  now: () => Date
  /** What each block brought so far. */
  received?: Map<number, bigint>
}

/** A wallet whose chain is told by the test: no node. Each block has one transfer of native coin to the wallet. */
export async function tellWallet(pool: pg.Pool, input: { address: string; now: () => Date }) {
  const { walletId } = await startSync(pool, { address: input.address, networkId, headBlock: 0 })
  return toldWallet(pool, { ...input, walletId })
}

/** The same for a wallet that is known already. */
export function toldWallet(pool: pg.Pool, input: ToldWallet) {
  const { now, received = new Map<number, bigint>() } = input
  const wallet = { walletId: input.walletId, address: input.address, networkId }

  /** Stores the blocks and derives from them, as a sync does, but does not complete it. */
  async function derive(
    blocks: readonly { number: number; ether: bigint; at?: Date }[],
    through = pool,
  ): Promise<void> {
    const head = Math.max(...blocks.map(({ number }) => number))
    await startSync(through, { address: input.address, networkId, headBlock: head })
    await transact(through, async ({ client }) => {
      const at = (block: (typeof blocks)[number]) => (block.at ?? now()).getTime()
      const place = (block: (typeof blocks)[number]) => ({
        blockNumber: block.number,
        blockHash: hash(block.number),
        atMs: at(block),
      })
      const moved = { from: SENDER, to: input.address }
      await writeRange(client, {
        networkId,
        source: 'test',
        fetchedAt: now(),
        range: {
          blocks: blocks.map((one) => ({
            number: one.number,
            hash: hash(one.number),
            parentHash: null,
            atMs: at(one),
          })),
          transactions: blocks.map((one) => ({
            ...place(one),
            ...moved,
            hash: transactionHash(one.number),
            index: 0,
            value: one.ether * ETHER,
            fee: 0n,
            success: true,
            selector: null,
          })),
          transfers: blocks.map((one) => ({
            ...place(one),
            ...moved,
            txHash: transactionHash(one.number),
            kind: 'native',
            position: 0,
            item: 0,
            token: null,
            tokenId: null,
            raw: one.ether * ETHER,
            fanOut: 1,
          })),
        },
      })
      await client.query('update wallet_syncs set cursor_block = $2 where wallet_id = $1', [
        wallet.walletId,
        head,
      ])
    })
    await normaliseStep({ pool: through, now }, wallet)
    for (const { number, ether } of blocks) received.set(number, ether * ETHER)
    const native = [...received.values()].reduce((sum, one) => sum + one, 0n)
    const block = { number: head, hash: hash(head), parentHash: null, atMs: now().getTime() }
    const source = { name: 'test', readBalances: async () => ({ block, native, tokens: [] }) }
    const network = { id: wallet.networkId, reorgDepth: 64, source: source as unknown as WalletSource }
    await verifyBalances({ pool: through, network, now }, { ...wallet, headBlock: head })
  }

  return {
    walletId: wallet.walletId,
    derive,
    complete: (through = pool) => completeSync(through, wallet),
    rewindTo: (block: number, through = pool) =>
      transact(through, async ({ client }) => {
        await lockNetwork(client, { networkId, mode: 'rewind' })
        await rewindNetwork(client, { networkId, block })
      }),
    renormalise: () => normaliseStep({ pool, now }, wallet),
  }
}

export const transactionHash = (block: number): string => hash(0xabc000 + block)
