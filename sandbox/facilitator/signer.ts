import { setTimeout as sleep } from 'node:timers/promises'
import type { FacilitatorEvmSigner } from '@x402/evm'
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainClient } from './chain-client.ts'

/** Below the 30 s that a gateway waits for a settlement: it hears of a pending one rather than nothing. */
const CONFIRMATION_TIMEOUT_MS = 20_000
/** Blocks come with the transactions: an answer is there after a few milliseconds or not at all. */
const POLL_MS = 5
/** The gas costs nothing that is worth anything. */
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1n }

type Transaction = { to: Address; data: Hex }

/**
 * The wallet that settles. A transfer that cannot be is refused before it has a nonce, and nonces are given in turn by
 * what the chain has: viem's nonceManager goes on from those that a killed node has forgotten, or that were given to a
 * transaction that was never sent, and everything after the gap waits.
 */
export function createSigner({ client, key }: { client: ChainClient; key: Hex }): FacilitatorEvmSigner {
  const account = privateKeyToAccount(key)
  const { address } = account
  let turn: Promise<unknown> = Promise.resolve()

  async function send({ to, data }: Transaction): Promise<Hex> {
    const estimated = await client.estimateGas({ account: address, to, data })
    // The transfer before it in the same block may leave it more to do.
    const gas = (estimated * 12n) / 10n
    const sent = turn.then(async () => {
      const nonce = await client.getTransactionCount({ address, blockTag: 'pending' })
      const serializedTransaction = await account.signTransaction({
        type: 'eip1559',
        chainId: client.chain.id,
        to,
        data,
        gas,
        nonce,
        ...FEES,
      })
      return client.sendRawTransaction({ serializedTransaction })
    })
    turn = sent.catch(() => {})
    return sent
  }

  /** Not viem's: that one looks when a block comes, and may have looked too soon at the last that came. */
  async function confirmed({ hash, timeout = CONFIRMATION_TIMEOUT_MS }: { hash: Hex; timeout?: number }) {
    for (const endMs = performance.now() + timeout; performance.now() < endMs; await sleep(POLL_MS)) {
      const receipt = await client.getTransactionReceipt({ hash }).catch(() => null)
      if (receipt) return receipt
    }
    throw new WaitForTransactionReceiptTimeoutError({ hash })
  }

  return {
    getAddresses: () => [address],
    readContract: (call) => client.readContract(call),
    verifyTypedData: (call) => client.verifyTypedData(call as Parameters<typeof client.verifyTypedData>[0]),
    getCode: (call) => client.getCode(call),
    sendTransaction: send,
    writeContract: ({ address: to, abi, functionName, args, dataSuffix = '0x' }) =>
      send({ to, data: concat([encodeFunctionData({ abi, functionName, args }), dataSuffix]) }),
    waitForTransactionReceipt: confirmed,
  }
}
