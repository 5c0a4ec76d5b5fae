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
  /** null: nobody is given USDC. */
  payer: Address | null
  nowMs: () => number
}

/**
 * Keeps the sandbox chain fit for payments: each transaction has its block at once; the newest block is never old, for
 * between blocks time stands still; the facilitator has gas and the test payer USDC. Asked before each payment, since a
 * node that is killed forgets its settings and its last seconds.
 */
export function createTestChain({ client, signer, payer, nowMs }: TestChainOptions): () => Promise<void> {
  const [facilitator] = signer.getAddresses() as [Address]
  let checkedMs = Number.NEGATIVE_INFINITY
  let ready: Promise<void> = Promise.resolve()

  async function makeReady(): Promise<void> {
    // A node that is told again what it does may miss the next transaction.
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

  /** The sandbox's USDC lets everyone mint. */
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
