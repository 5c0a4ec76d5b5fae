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

/** Below the 30 s that a gateway waits for a settlement, so that it gets `pending` instead of a timeout. */
const CONFIRMATION_TIMEOUT_MS = 20_000
/** Each transaction gets its own block, so a receipt exists after a few milliseconds or not at all. */
const POLL_MS = 5
/** High, because gas is free on the sandbox chain. */
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1n }

type Transaction = { to: Address; data: Hex }

/**
 * The wallet that settles. It refuses impossible transfers before they get a nonce, and takes each nonce from
 * the chain. viem's nonceManager would continue after nonces that a killed node forgot or that were never
 * sent, and all transactions after such a gap would wait.
 */
export function createSigner({ client, key }: { client: ChainClient; key: Hex }): FacilitatorEvmSigner {
  const account = privateKeyToAccount(key)
  const { address } = account
  let turn: Promise<unknown> = Promise.resolve()

  async function send({ to, data }: Transaction): Promise<Hex> {
    const estimated = await client.estimateGas({ account: address, to, data })
    // 20 % more, because an earlier transfer in the same block may raise the gas needed.
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

  /** Polls for the receipt. viem's version looks once per block and may look too early at the last one. */
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
