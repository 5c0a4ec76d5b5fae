import { call, codeOf, contractOf } from '../../sandbox/chain/calls.ts'
import type { Random } from '../../sandbox/chain/random.ts'
import { type SandboxToken, tokens } from '../../sandbox/chain/tokens.ts'
import type { Anvil } from '../setup/anvil.ts'
import { address } from '../setup/wallet-factories.ts'

export const WALLETS = [0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6].map(address)
const OTHERS = [0xb1, 0xb2, 0xb3].map(address)
const PEOPLE = [...WALLETS, ...OTHERS]
const tokenOf = (key: string) => tokens.find((one) => one.network === 'ethereum' && one.key === key)!
export const [USDC, DAI, UNI, WETH] = [tokenOf('USDC'), tokenOf('DAI'), tokenOf('UNI'), tokenOf('WETH')]
const PLAIN = [USDC, DAI, UNI]
/** A pool of each token against WETH, and how many of its tokens are worth 1,000 of them. */
const POOLS = [
  { token: USDC, pool: address(0xc1), tokens: 2_900_000n },
  { token: DAI, pool: address(0xc2), tokens: 2_900_000n },
  { token: UNI, pool: address(0xc3), tokens: 300_000n },
]
const ROUTER = address(0xc4)
const ETHER = 10n ** 18n
const BLOCK_SECONDS = 12

const hex = (value: bigint | number) => `0x${value.toString(16)}`
const unit = ({ decimals }: SandboxToken) => 10n ** BigInt(decimals)

/** A chain of anvil on which people pay, swap, wrap, approve and fail, by chance. */
export async function startTraffic(anvil: Anvil, random: Random) {
  const [bank] = (await anvil.call('eth_accounts')) as string[]
  const send = async (from: string, to: string | null, fields: { value?: bigint; data?: string } = {}) =>
    anvil.call('eth_sendTransaction', {
      from,
      ...(to && { to }),
      ...(fields.data && { data: fields.data }),
      value: hex(fields.value ?? 0n),
      // What fails must be mined as well.
      gas: hex(600_000),
    })

  async function mine(seconds = BLOCK_SECONDS): Promise<void> {
    const { timestamp } = await anvil.call('eth_getBlockByNumber', 'latest', false)
    await anvil.call('evm_mine', { timestamp: Number(timestamp) + seconds })
  }

  for (const token of [...PLAIN, WETH])
    await anvil.call('anvil_setCode', token.address, codeOf(contractOf[token.kind]))
  for (const token of PLAIN) {
    const { name, symbol, decimals } = token
    await send(bank!, token.address, {
      data: call(contractOf[token.kind], 'init', [name, symbol, decimals, 0]),
    })
    for (const person of PEOPLE)
      await send(bank!, token.address, {
        data: call(contractOf[token.kind], 'mint', [person, 1_000_000n * unit(token)]),
      })
  }
  for (const person of PEOPLE) await send(bank!, person, { value: 500n * ETHER })
  await mine()
  await anvil.call('anvil_setCode', ROUTER, codeOf('Router'))
  await send(bank!, ROUTER, { data: call('Router', 'init', [WETH.address]) })
  for (const { token, pool, tokens } of POOLS) {
    const contract = contractOf[token.kind]
    await anvil.call('anvil_setCode', pool, codeOf('Pool'))
    await send(bank!, pool, { data: call('Pool', 'init', [WETH.address, token.address]) })
    await send(bank!, token.address, { data: call(contract, 'mint', [pool, tokens * unit(token)]) })
    await send(bank!, WETH.address, { data: call('Weth', 'deposit', []), value: 1_000n * ETHER })
    await send(bank!, WETH.address, { data: call('Weth', 'transfer', [pool, 1_000n * ETHER]) })
    await send(bank!, pool, { data: call('Pool', 'mint', []) })
    for (const person of PEOPLE)
      await send(person, token.address, { data: call(contract, 'approve', [ROUTER, 10n ** 30n]) })
  }
  await mine()
  // They have something to unwrap.
  for (const person of PEOPLE)
    await send(person, WETH.address, { data: call('Weth', 'deposit', []), value: 10n * ETHER })
  await mine()

  /** A transaction of some kind between two people. */
  async function act(): Promise<unknown> {
    const [from, to, token] = [random.pick(PEOPLE), random.pick(PEOPLE), random.pick(PLAIN)]
    const contract = contractOf[token.kind]
    const some = BigInt(1 + random.integer(1_000_000))
    const amount = (some * unit(token)) / 1_000_000n
    const wei = some * 1_000_000_007n
    switch (random.integer(12)) {
      case 0:
      case 1:
        return send(from, to, { value: wei })
      case 2:
      case 3:
        return send(from, token.address, { data: call(contract, 'transfer', [to, amount]) })
      case 4:
        return send(from, token.address, { data: call(contract, 'approve', [random.pick(OTHERS), amount]) })
      case 5:
        // Somebody else moves what was approved, if it was.
        return send(random.pick(OTHERS), token.address, {
          data: call(contract, 'transferFrom', [from, to, amount]),
        })
      case 6:
        return send(from, WETH.address, { data: call('Weth', 'deposit', []), value: wei })
      case 7:
        return send(from, WETH.address, { data: call('Weth', 'transfer', [to, wei]) })
      case 8: {
        const { pool } = random.pick(POOLS)
        const data = call('Router', 'swapExactEthForTokens', [pool, 0n, from])
        return send(from, ROUTER, { data, value: 1_000n * wei })
      }
      case 9:
      case 10: {
        const give = random.pick(POOLS)
        const take = random.pick(POOLS.filter((pool) => pool !== give))
        const some = (BigInt(1 + random.integer(1_000_000)) * unit(give.token)) / 1_000n
        const swapped = [give.pool, take.pool, give.token.address, some, 0n, from]
        return send(from, ROUTER, { data: call('Router', 'swapExactTokensForTokens', swapped) })
      }
      default:
        // More than anybody has.
        return send(from, token.address, { data: call(contract, 'transfer', [to, 10n ** 30n]) })
    }
  }

  return {
    /** Mines blocks of up to four transactions, so many seconds apart. */
    async blocks(count: number, seconds?: number): Promise<void> {
      for (let i = 0; i < count; i++) {
        for (let n = random.integer(5); n > 0; n--) await act()
        await mine(seconds)
      }
    },
  }
}
