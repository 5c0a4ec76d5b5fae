import fc from 'fast-check'
import { type Address, type Hex, getContractAddress, maxUint256, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pendle } from '../../../activities/defi/families/pendle.ts'
import type { AssetRole, Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, assetsOf, startProtocolChain } from './protocol-chain.ts'
import { artifact, compiled } from './published.ts'
import { VAULT } from './vault-contract.ts'

// Bytecode of @pendle/core-v2: factories, principal and yield tokens, a market with its gauge, and the contract that
// standardises a vault of @openzeppelin/contracts.

const CORE = '@pendle/core-v2/build/artifacts/contracts'
const YIELDS = `${CORE}/core/YieldContracts`
const MARKETS = `${CORE}/core/Market/v3`
const MINING = `${CORE}/LiquidityMining`
/** What anybody can write: it says that it pays the vault's shares, and has none. */
const EMPTY = compiled({
  name: 'Empty',
  file: 'Empty.sol',
  text: `pragma solidity ^0.8.24;
    import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
    contract Empty is ERC20 {
      address public yieldToken;
      constructor(address token) ERC20("SY Rich", "SY-RICH") { yieldToken = token; _mint(msg.sender, 1e30); }
      function exchangeRate() external pure returns (uint256) { return 1e18; }
      function assetInfo() external view returns (uint8, address, uint8) { return (0, yieldToken, 18); }
      function previewRedeem(address, uint256 shares) external pure returns (uint256) { return shares; }
      function claimRewards(address) external pure returns (uint256[] memory none) {}
      function getRewardTokens() external pure returns (address[] memory none) {}
      function rewardIndexesCurrent() external pure returns (uint256[] memory none) {}
    }`,
  evmVersion: 'cancun',
})
const SUPPLY = 10n ** 30n
const LIQUIDITY = 10n ** 20n
const DAY_S = 86_400
const FEE = 3n * 10n ** 16n
let chain: ProtocolChain
let expiry: number
let asset: Deployed
let vault: Deployed
let sy: Deployed
let principal: Deployed
let yields: Deployed
let market: Deployed
let reward: Deployed
let gauges: Deployed
let yieldFactory: Deployed
let protocol: Protocol
const user = (): Address => chain.users[0]!
const provider = (): Address => chain.users[1]!

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer, nowS } = chain
  const token = () => deploy(artifact('@uniswap/v2-core/build/ERC20.json'), [SUPPLY])
  asset = { ...(await token()), abi: ERC20 }
  reward = { ...(await token()), abi: ERC20 }
  vault = await deploy(VAULT, [asset.address])
  sy = await deploy(
    artifact(`${CORE}/core/StandardizedYield/implementations/PendleERC4626SY.sol/PendleERC4626SY.json`),
    ['SY Savings', 'SY-SAV', vault.address],
  )
  const yieldToken = artifact(`${YIELDS}/PendleYieldToken.sol/PendleYieldToken.json`)
  yieldFactory = await deploy(
    artifact(`${YIELDS}/PendleYieldContractFactory.sol/PendleYieldContractFactory.json`),
    await halves(yieldToken.bytecode, 0xa1),
  )
  await write(deployer, yieldFactory, 'initialize', [DAY_S, FEE, FEE, deployer])
  expiry = (Math.floor((await nowS()) / DAY_S) + 200) * DAY_S
  ;[principal, yields] = await openYield(sy)
  const marketFactory = await openMarkets()
  const terms = [principal.address, 50n * 10n ** 18n, 105n * 10n ** 16n, 10n ** 15n]
  const at = await chain.ask<Address>(deployer, marketFactory, 'createNewMarket', terms)
  await write(deployer, marketFactory, 'createNewMarket', terms)
  market = { address: at, abi: artifact(`${MARKETS}/PendleMarketV3.sol/PendleMarketV3.json`).abi }
  for (const one of [user(), provider()]) {
    await write(deployer, asset, 'transfer', [one, SUPPLY / 10n])
    await write(one, asset, 'approve', [sy.address, maxUint256])
  }
  await write(deployer, reward, 'transfer', [gauges.address, SUPPLY / 10n])
  await deposit(provider(), 4n * LIQUIDITY)
  await split(provider(), 2n * LIQUIDITY)
  await provide(provider(), LIQUIDITY)
  const factories = {
    yields: [yieldFactory.address.toLowerCase()],
    markets: [marketFactory.address.toLowerCase()],
  }
  protocol = pendle({ id: 'x', name: 'X', deployments: { ethereum: factories } })
})
afterAll(() => chain.stop())

/** The factories keep the code of what they make in two contracts. */
async function halves(bytecode: Hex, at: number): Promise<[Address, bigint, Address, bigint]> {
  const middle = 2 + Math.floor((bytecode.length - 2) / 4) * 2
  const parts = [bytecode.slice(2, middle), bytecode.slice(middle)] as const
  const [first, second] = [at, at + 1].map((n): Address => `0x${n.toString(16).padStart(40, '0')}`)
  await chain.node.call('anvil_setCode', first, `0x${parts[0]}`)
  await chain.node.call('anvil_setCode', second, `0x${parts[1]}`)
  return [first!, BigInt(parts[0].length / 2), second!, BigInt(parts[1].length / 2)]
}

async function openYield(of: Deployed): Promise<[Deployed, Deployed]> {
  const terms = [of.address, expiry, true]
  const made = await chain.ask<[Address, Address]>(chain.deployer, yieldFactory, 'createYieldContract', terms)
  await chain.write(chain.deployer, yieldFactory, 'createYieldContract', terms)
  return [
    { address: made[0], abi: artifact(`${YIELDS}/PendlePrincipalToken.sol/PendlePrincipalToken.json`).abi },
    { address: made[1], abi: artifact(`${YIELDS}/PendleYieldToken.sol/PendleYieldToken.json`).abi },
  ]
}

/** The gauges and the factory of markets name each other. */
async function openMarkets(): Promise<Deployed> {
  const { deploy, deployer, node } = chain
  const code = artifact(`${MARKETS}/PendleMarketV3.sol/PendleMarketV3.json`)
  const votes = await deploy(
    artifact(`${MINING}/VotingEscrow/VotingEscrowPendleMainchain.sol/VotingEscrowPendleMainchain.json`),
    [reward.address, deployer, 0n],
  )
  const oracle = await deploy(artifact(`${CORE}/core/Market/OracleLib.sol/OracleLib.json`))
  const linked = code.bytecode.replaceAll(/__\$\w+\$__/g, oracle.address.slice(2).toLowerCase()) as Hex
  const parts = await halves(linked, 0xb1)
  const nonce = BigInt((await node.call('eth_getTransactionCount', deployer, 'latest')) as string)
  const factoryAt = getContractAddress({ from: deployer, nonce: nonce + 1n })
  gauges = await deploy(
    artifact(
      `${MINING}/GaugeController/PendleGaugeControllerMainchainUpg.sol/PendleGaugeControllerMainchainUpg.json`,
    ),
    [deployer, reward.address, factoryAt, zeroAddress],
  )
  return await deploy(artifact(`${MARKETS}/PendleMarketFactoryV3.sol/PendleMarketFactoryV3.json`), [
    yieldFactory.address,
    ...parts,
    deployer,
    80,
    votes.address,
    gauges.address,
  ])
}

const balance = (of: Deployed, owner = user()) =>
  chain.ask<bigint>(owner, { ...of, abi: ERC20 }, 'balanceOf', [owner])
const give = (from: Address, token: Deployed, to: Deployed, raw: bigint) =>
  chain.write(from, { ...token, abi: ERC20 }, 'transfer', [to.address, raw])

const deposit = (by: Address, raw: bigint) => chain.write(by, sy, 'deposit', [by, asset.address, raw, 0n])
async function split(by: Address, raw: bigint): Promise<void> {
  await give(by, sy, yields, raw)
  await chain.write(by, yields, 'mintPY', [by, by])
}
async function provide(by: Address, raw: bigint): Promise<void> {
  await give(by, sy, market, raw)
  await give(by, principal, market, raw)
  await chain.write(by, market, 'mint', [by, raw, raw])
}
/** Pays principal out, with its yield tokens before the expiry. */
async function join(by: Address, raw: bigint): Promise<void> {
  await give(by, principal, yields, raw)
  if ((await chain.nowS()) < expiry) await give(by, yields, yields, raw)
  await chain.write(by, yields, 'redeemPY', [by])
}
const redeemSy = (by: Address, raw: bigint) =>
  chain.write(by, sy, 'redeem', [by, raw, vault.address, 0n, false])

const KINDS = [
  'deposit',
  'split',
  'join',
  'provide',
  'withdraw',
  'sell',
  'yield',
  'wait',
  'reward',
  'claim',
] as const
interface Step {
  kind: (typeof KINDS)[number]
  part: number
  days: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  part: fc.integer({ min: 1, max: 100 }),
  days: fc.integer({ min: 1, max: 60 }),
})

async function step({ kind, part, days }: Step): Promise<void> {
  const { write } = chain
  const share = async (of: Deployed) => ((await balance(of)) * BigInt(part)) / 100n
  if (kind === 'deposit') return deposit(user(), (LIQUIDITY * BigInt(part)) / 100n)
  if (kind === 'split') return split(user(), await share(sy))
  if (kind === 'provide') return provide(user(), await share(principal))
  if (kind === 'wait') return chain.wait(days * DAY_S)
  if (kind === 'yield') return write(user(), asset, 'transfer', [vault.address, LIQUIDITY / BigInt(part)])
  if (kind === 'claim') return write(user(), yields, 'redeemDueInterestAndRewards', [user(), true, true])
  if (kind === 'join') {
    const [first, second] = [await share(principal), await share(yields)]
    return join(user(), first < second ? first : second)
  }
  if (kind === 'withdraw') {
    const raw = await share(market)
    await give(user(), market, market, raw)
    return write(user(), market, 'burn', [user(), user(), raw])
  }
  if (kind === 'sell') {
    const raw = (await share(principal)) / 10n
    await give(user(), principal, market, raw)
    return write(user(), market, 'swapExactPtForSy', [user(), raw, '0x'])
  }
  const week = BigInt(await chain.nowS())
  return write(chain.deployer, gauges, 'updateVotingResults', [
    week,
    [market.address],
    [10n ** 18n * BigInt(part)],
  ])
}

test('what the reader says is what the protocol pays, after any steps of splitting, trading, yield and waiting', async () => {
  const seen = new Set<string>()
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 1, maxLength: 6 }), async (steps) => {
    await chain.apart(async () => {
      const first: Step[] = (['deposit', 'split', 'provide', 'reward', 'yield', 'wait'] as const).map(
        (kind) => ({
          kind,
          part: 50,
          days: 3,
        }),
      )
      for (const one of [...first, ...steps]) await chain.attempt(() => step(one))
      for (const role of await compare()) seen.add(role)
      await chain.wait(Math.max(1, expiry - (await chain.nowS())))
      for (const role of await compare()) seen.add(role)
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 3, long: 200 }) })
  expect([...seen].toSorted()).toEqual(['claimable', 'locked', 'supplied', 'unclaimed'])
})

/** Takes each position out, and undoes it. Returns the roles that there were to compare. */
async function compare(): Promise<AssetRole[]> {
  const tokens = [principal, yields, market].map(({ address }) => address)
  const positions = await chain.positions(protocol, user(), tokens)
  const isOpen = (await chain.nowS()) < expiry
  const end = isOpen ? new Date(expiry * 1_000) : null
  const paid = [await principalPays(), await yieldPays(), await marketPays()]
  const said = tokens.map((address) => positions.find(({ id }) => id === address.toLowerCase()))
  expect(said.map((one) => assetsOf(one ? [one] : []))).toEqual(
    paid.map((assets) => assets.filter(([, , raw]) => raw > 0n)),
  )
  for (const { id, unlockAt } of positions)
    expect(unlockAt).toEqual(id === yields.address.toLowerCase() ? null : end)
  return positions.flatMap(({ assets }) => assets.map(({ role }) => role))
}

type Paid = readonly [AssetRole, string, bigint]
const savings = (role: AssetRole, raw: bigint): Paid => [role, vault.address.toLowerCase(), raw]
const later = async () => ((await chain.nowS()) < expiry ? 'locked' : 'claimable')

/** What `take` brings in, in shares of the vault. */
async function inSavings(take: () => Promise<void>): Promise<bigint> {
  const before = await balance(sy)
  await take()
  const raw = (await balance(sy)) - before
  if (raw === 0n) return 0n
  const had = await balance(vault)
  await redeemSy(user(), raw)
  return (await balance(vault)) - had
}

/** Nothing is paid for principal alone before its expiry. */
async function atExpiry(raw: bigint): Promise<bigint> {
  if (raw === 0n) return 0n
  const left = expiry - (await chain.nowS())
  if (left > 0) await chain.wait(left)
  return await inSavings(() => join(user(), raw))
}

async function principalPays(): Promise<Paid[]> {
  const role = await later()
  return [savings(role, await chain.apart(async () => atExpiry(await balance(principal))))]
}

async function yieldPays(): Promise<Paid[]> {
  const claim = () => chain.write(user(), yields, 'redeemDueInterestAndRewards', [user(), true, true])
  return (await balance(yields)) === 0n
    ? []
    : [savings('unclaimed', await chain.apart(() => inSavings(claim)))]
}

async function marketPays(): Promise<Paid[]> {
  const raw = await balance(market)
  if (raw === 0n) return []
  const role = await later()
  const burn = async () => {
    await give(user(), market, market, raw)
    await chain.write(user(), market, 'burn', [user(), user(), raw])
  }
  const [supplied, ofPrincipal] = await chain.apart(async () => {
    const had = await balance(principal)
    const paid = await inSavings(burn)
    return [paid, await atExpiry((await balance(principal)) - had)] as const
  })
  const rewards = await chain.apart(async () => {
    const had = await balance(reward)
    await chain.stopClock()
    await chain.write(user(), market, 'redeemRewards', [user()])
    return (await balance(reward)) - had
  })
  return [
    savings('supplied', supplied),
    savings(role, ofPrincipal),
    ['unclaimed', reward.address.toLowerCase(), rewards],
  ]
}

test('principal of a contract that holds nothing counts nothing, though the factory made it', async () => {
  await chain.apart(async () => {
    const { deploy, deployer, write, positions } = chain
    const empty = await deploy(EMPTY, [vault.address])
    const [fakePrincipal, fakeYields] = await openYield(empty)
    await give(deployer, empty, fakeYields, LIQUIDITY)
    await write(deployer, fakeYields, 'mintPY', [user(), user()])
    expect(await balance(fakePrincipal)).toBe(LIQUIDITY)
    expect(await positions(protocol, user(), [fakePrincipal.address, fakeYields.address])).toEqual([])
    await deposit(user(), LIQUIDITY)
    await redeemSy(user(), 1_000n)
    await write(user(), vault, 'transfer', [empty.address, 1_000n])
    const [position] = await positions(protocol, user(), [fakePrincipal.address])
    expect(position!.assets).toEqual([{ role: 'locked', token: vault.address.toLowerCase(), raw: 1_000n }])
  })
})
