import type { FacilitatorEvmSigner } from '@x402/evm'
import { type Address, erc20Abi, parseAbi, parseEther, parseUnits } from 'viem'
import { type ChainClient, USDC } from './chain-client.ts'

const GAS = { least: parseEther('1'), given: parseEther('1000') }
const MONEY = { least: parseUnits('1000', 6), given: parseUnits('10000', 6) }
const OLD_BLOCK_S = 20
const CHECK_AGAIN_MS = 500

interface TestChainOptions {
  client: ChainClient
  signer: FacilitatorEvmSigner
  /** Receives test USDC; null: nobody. */
  payer: Address | null
  nowMs: () => number
}

/**
 * Keeps the sandbox chain ready for payments: each transaction gets a block at once; the newest block is
 * recent, because chain time stands still between blocks; the facilitator has gas and the test payer USDC.
 * Call it before each payment, because a killed node loses its settings and its last seconds.
 */
export function createTestChain({ client, signer, payer, nowMs }: TestChainOptions): () => Promise<void> {
  const [facilitator] = signer.getAddresses() as [Address]
  let checkedMs = Number.NEGATIVE_INFINITY
  let ready: Promise<void> = Promise.resolve()

  async function makeReady(): Promise<void> {
    // Set it only if it is off: setting it again can make the node miss the next transaction.
    if (!(await client.getAutomine())) await client.setAutomine(true)
    const [{ timestamp }, gas, money] = await Promise.all([
      client.getBlock(),
      client.getBalance({ address: facilitator }),
      payer &&
        client.readContract({ address: USDC, abi: erc20Abi, functionName: 'balanceOf', args: [payer] }),
    ])
    if (gas < GAS.least) await client.setBalance({ address: facilitator, value: GAS.given })
    if (nowMs() / 1_000 - Number(timestamp) > OLD_BLOCK_S) await client.mine({ blocks: 1 })
    if (money !== null && money < MONEY.least) await mint(payer!)
  }

  /** Mints USDC, which anybody may do in the sandbox. */
  async function mint(to: Address): Promise<void> {
    const abi = parseAbi(['function mint(address to, uint256 value)'])
    const hash = await signer.writeContract({
      address: USDC,
      abi,
      functionName: 'mint',
      args: [to, MONEY.given],
    })
    await signer.waitForTransactionReceipt({ hash })
  }

  return () => {
    if (nowMs() - checkedMs > CHECK_AGAIN_MS) {
      checkedMs = nowMs()
      ready = makeReady()
    }
    return ready
  }
}
