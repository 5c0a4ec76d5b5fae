import { encodeAbiParameters, keccak256 } from 'viem'
import { type Address, bridge, operator } from '../../sandbox/chain/actors.ts'
import { call, codeOf } from '../../sandbox/chain/calls.ts'
import { type Rpc, toHex } from '../../sandbox/chain/rpc.ts'
import { type NetworkId, tokenOf } from '../../sandbox/chain/tokens.ts'
import type { Chains } from '../sandbox/chains.ts'
import { BRIDGE_DELAY_MS, shifted, transactionOf, unitsOf } from './worked-example-market.ts'

// The transactions of W in the worked example, written into two real chains.

export const WALLET: Address = '0x00000000000000000000000000000000000e4a3e'
const DESK: Address = '0xde5c000000000000000000000000000000000001'
/** Every transaction of W uses exactly this much gas, which divides the fees of the example. */
const GAS = 125_000
const ETHER = 10n ** 18n

/** Tokens of the example, each deployed at the address of a sandbox token. */
const TOKENS: Record<string, { key: string; decimals: number }> = {
  USDC: { key: 'USDC', decimals: 6 },
  DROP: { key: 'DROP', decimals: 18 },
  aUSDC: { key: 'MOSS', decimals: 18 },
  SCAM: { key: 'TAXED', decimals: 18 },
}

const wei = (text: string) => unitsOf(text, 18)

interface Call {
  to: Address
  data: `0x${string}`
  valueWei?: bigint
}

interface Transaction extends Call {
  from: Address
  gasPriceWei?: bigint
}

/** Writes the example. Returns the hashes of its transactions by id. */
export async function writeWorkedExample({ rpcs }: Chains): Promise<Record<string, string>> {
  const ethereum = await openChain('ethereum', rpcs.ethereum, Object.keys(TOKENS))
  const base = await openChain('base-wallet', rpcs['base-wallet'], ['USDC'])
  const hashes: Record<string, string> = {}
  /** A trade or a loan: W gives and gets in one transaction. */
  const trade = async (id: string, chain = ethereum) => {
    const { atMs, out, inn, fees } = transactionOf(id)
    const [given, got] = [out!, inn!].map(([, asset = '', text = '']) => ({ asset, text }))
    hashes[id] = await chain.swap({ atMs, given: given!, got: got!, feeWei: wei(fees[0]![2]!) })
  }
  /** A deposit, an airdrop or spam. */
  const receive = async (id: string, chain = ethereum) => {
    const { atMs, legs } = transactionOf(id)
    const [, asset = '', text = ''] = legs![0]!
    hashes[id] = await chain.receive({ atMs, asset, text })
  }

  const withdrawal = transactionOf('T4')
  hashes['T4'] = await ethereum.receive({
    atMs: shifted(Date.parse(withdrawal.arrive!)),
    asset: 'ETH',
    text: withdrawal.qty!,
  })
  await receive('T5')
  await trade('T6')
  await trade('T7')
  // The bridge fee is a transaction of its own. Together both use the gas of the example.
  const crossing = transactionOf('T8')
  const [paid, gas] = crossing.fees.map(([, , text]) => wei(text!))
  const pay = (atMs: number, valueWei: bigint) =>
    ethereum.spend({ atMs, to: bridge, valueWei, feeWei: gas! / 2n, calls: [] })
  hashes['T8 fee'] = await pay(crossing.atMs, paid!)
  hashes['T8'] = await pay(crossing.atMs + 12_000, wei(crossing.qty!))
  await base.receive({
    atMs: shifted(Date.parse(crossing.arrive!)) + BRIDGE_DELAY_MS,
    asset: 'ETH',
    text: crossing.qty!,
  })
  await receive('T9', base)
  await trade('T12')
  await trade('T13')
  await trade('T14', base)
  await receive('T15')
  // Mines until everything is final.
  for (const rpc of Object.values(rpcs)) await rpc.call('anvil_mine', toHex(80), toHex(12))
  return hashes
}

/** One network with its tokens, which a desk trades and the operator gives away. */
async function openChain(network: NetworkId, rpc: Rpc, assets: readonly string[]) {
  const addressOf = (asset: string): Address => tokenOf(network, TOKENS[asset]!.key).address
  const amountOf = (asset: string, text: string) => unitsOf(text, TOKENS[asset]?.decimals ?? 18)

  async function mine(
    atMs: number,
    list: Transaction[],
  ): Promise<{ transactionHash: string; gasUsed: string }> {
    await rpc.call('evm_setNextBlockTimestamp', atMs / 1_000)
    let hash: unknown
    for (const { from, to, data, valueWei = 0n, gasPriceWei = 10n ** 10n } of list)
      hash = await rpc.call('eth_sendTransaction', {
        from,
        to,
        data,
        value: toHex(valueWei),
        gas: toHex(500_000),
        gasPrice: toHex(gasPriceWei),
      })
    await rpc.call('evm_mine')
    const receipt = (await rpc.call('eth_getTransactionReceipt', hash)) as any
    if (receipt?.status !== '0x1') throw new Error(`${network} ${new Date(atMs).toISOString()}: it failed`)
    return receipt
  }

  /** Both sides of a trade, or a payment, in one transaction. W is the sender and pays exactly this fee. */
  async function spend(input: {
    atMs: number
    to: Address
    valueWei: bigint
    feeWei: bigint
    calls: Call[]
  }) {
    const { atMs, to, valueWei, feeWei, calls } = input
    const gasPriceWei = feeWei / BigInt(GAS)
    const transaction: Transaction = { from: WALLET, to, data: '0x', valueWei, gasPriceWei }
    await rpc.call('anvil_setCode', to, codeThatCalls(calls, 0))
    const before = await rpc.call('evm_snapshot')
    const { gasUsed } = await mine(atMs, [transaction])
    await rpc.call('evm_revert', before)
    await rpc.call('anvil_setCode', to, codeThatCalls(calls, GAS - Number(gasUsed)))
    const receipt = await mine(atMs, [transaction])
    if (Number(receipt.gasUsed) !== GAS) throw new Error(`${Number(receipt.gasUsed)} gas`)
    return receipt.transactionHash
  }

  await rpc.call('anvil_setBalance', operator, toHex(1_000n * ETHER))
  await rpc.call('anvil_setBalance', DESK, toHex(1_000n * ETHER))
  const setup: Transaction[] = []
  for (const asset of assets) {
    const to = addressOf(asset)
    await rpc.call('anvil_setCode', to, codeOf('Token'))
    const { decimals } = TOKENS[asset]!
    for (const data of [
      call('Token', 'init', [asset, asset, decimals, 0]),
      call('Token', 'mint', [DESK, amountOf(asset, '10000')]),
      call('Token', 'mint', [operator, amountOf(asset, '1000000000000')]),
    ])
      setup.push({ from: operator, to, data })
    await rpc.call('anvil_setStorageAt', to, allowanceSlot(WALLET, DESK), `0x${'f'.repeat(64)}`)
  }
  await mine(shifted(Date.parse('2023-12-31')), setup)

  return {
    spend,

    async receive({ atMs, asset, text }: { atMs: number; asset: string; text: string }): Promise<string> {
      const amount = amountOf(asset, text)
      const sent: Call =
        asset === 'ETH'
          ? { to: WALLET, data: '0x', valueWei: amount }
          : { to: addressOf(asset), data: call('Token', 'transfer', [WALLET, amount]) }
      return (await mine(atMs, [{ from: operator, ...sent }])).transactionHash
    },

    /** W gives to the desk and gets from it in one transaction. */
    async swap(input: { atMs: number; given: Side; got: Side; feeWei: bigint }): Promise<string> {
      const { given, got } = input
      const [paid, bought] = [amountOf(given.asset, given.text), amountOf(got.asset, got.text)]
      const calls: Call[] = []
      if (given.asset !== 'ETH')
        calls.push({ to: addressOf(given.asset), data: call('Token', 'transferFrom', [WALLET, DESK, paid]) })
      if (got.asset === 'ETH') calls.push({ to: WALLET, data: '0x', valueWei: bought })
      else calls.push({ to: addressOf(got.asset), data: call('Token', 'transfer', [WALLET, bought]) })
      return spend({ ...input, to: DESK, valueWei: given.asset === 'ETH' ? paid : 0n, calls })
    },
  }
}

interface Side {
  asset: string
  text: string
}

/**
 * Storage slot of `allowance[owner][spender]` in the sandbox token; W approved it before the example begins.
 */
function allowanceSlot(owner: Address, spender: Address): string {
  const inside = (key: Address, slot: `0x${string}`) =>
    keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]))
  return inside(spender, inside(owner, `0x${'5'.padStart(64, '0')}`))
}

/** Code that makes these calls and then burns `idle` gas, one for each JUMPDEST. */
function codeThatCalls(calls: readonly Call[], idle: number): string {
  const hex = (value: number | bigint, bytes: number) => value.toString(16).padStart(bytes * 2, '0')
  const made = calls.map(({ to, data, valueWei = 0n }) => {
    const words = data.slice(2).match(/.{1,64}/g) ?? []
    const stored = words.map((word, i) => `7f${word.padEnd(64, '0')}61${hex(i * 32, 2)}52`)
    return `${stored.join('')}5f5f61${hex(data.length / 2 - 1, 2)}5f7f${hex(valueWei, 32)}73${to.slice(2)}5af150`
  })
  return `0x${made.join('')}${'5b'.repeat(idle)}00`
}
