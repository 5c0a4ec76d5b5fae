import fc from 'fast-check'
import { type Address, type Hex, encodeAbiParameters, keccak256, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erc4626 } from '../../../activities/defi/families/erc4626.ts'
import { morphoBlue } from '../../../activities/defi/families/morpho-blue.ts'
import type { Protocol } from '../../../activities/defi/position.ts'
import { runs } from '../../setup/runs.ts'
import { type Deployed, ERC20, type ProtocolChain, assetsOf, startProtocolChain } from './protocol-chain.ts'
import { artifact, compiled } from './published.ts'

// Sources of @morpho-org/morpho-blue, by the compiler that they ask for, with the interest model and the oracle of its
// own tests.

const SOURCES = '@morpho-org/morpho-blue/src'
const at0819 = { solc: 'solc-0.8.19' }
const MORPHO = compiled({ name: 'Morpho', file: `${SOURCES}/Morpho.sol`, ...at0819 })
const RATES = compiled({ name: 'IrmMock', file: `${SOURCES}/mocks/IrmMock.sol`, ...at0819 })
const ORACLE = compiled({ name: 'OracleMock', file: `${SOURCES}/mocks/OracleMock.sol`, ...at0819 })
/** Morpho's own library of expected balances, and a vault that lists a market, as MetaMorpho does. */
const EXPECTED = compiled({
  name: 'Expected',
  file: 'Expected.sol',
  text: `pragma solidity 0.8.19;
    import {IMorpho, MarketParams, Id} from "${SOURCES}/interfaces/IMorpho.sol";
    import {MorphoBalancesLib} from "${SOURCES}/libraries/periphery/MorphoBalancesLib.sol";
    contract Expected {
      bytes32[] public withdrawQueue;
      constructor(bytes32 id) { withdrawQueue.push(id); }
      function withdrawQueueLength() external view returns (uint256) { return withdrawQueue.length; }
      function supplied(IMorpho morpho, MarketParams memory params, address user) external view returns (uint256) {
        return MorphoBalancesLib.expectedSupplyAssets(morpho, params, user);
      }
      function borrowed(IMorpho morpho, MarketParams memory params, address user) external view returns (uint256) {
        return MorphoBalancesLib.expectedBorrowAssets(morpho, params, user);
      }
    }`,
  ...at0819,
})
const POSITION = parseAbi([
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
])
const SUPPLY = 10n ** 30n
const LLTV = 8n * 10n ** 17n
let chain: ProtocolChain
let morpho: Deployed
let oracle: Deployed
let expected: Deployed
let [loan, collateral]: Deployed[] = []
let params: Record<string, unknown>
let id: Hex
let protocol: Protocol

beforeAll(async () => {
  chain = await startProtocolChain()
  const { deploy, write, deployer } = chain
  morpho = await deploy(MORPHO, [deployer])
  oracle = await deploy(ORACLE)
  const rates = await deploy(RATES)
  const erc20 = artifact('@uniswap/v2-core/build/ERC20.json')
  ;[loan, collateral] = [await deploy(erc20, [SUPPLY]), await deploy(erc20, [SUPPLY])]
  const places = [loan.address, collateral.address, oracle.address, rates.address]
  const [loanToken, collateralToken, oracleAt, irm] = places
  params = { loanToken, collateralToken, oracle: oracleAt, irm, lltv: LLTV }
  const types = [...places.map(() => ({ type: 'address' })), { type: 'uint256' }]
  id = keccak256(encodeAbiParameters(types, [...places, LLTV]))
  await write(deployer, oracle, 'setPrice', [10n ** 36n])
  await write(deployer, morpho, 'enableIrm', [irm])
  await write(deployer, morpho, 'enableLltv', [LLTV])
  await write(deployer, morpho, 'createMarket', [params])
  await write(deployer, morpho, 'setFeeRecipient', [chain.users[5]])
  await write(deployer, morpho, 'setFee', [params, 10n ** 17n])
  expected = await deploy(EXPECTED, [id])
  for (const user of users())
    for (const token of [loan, collateral]) {
      await write(deployer, { ...token, abi: ERC20 }, 'transfer', [user, SUPPLY / 10n])
      await write(user, { ...token, abi: ERC20 }, 'approve', [morpho.address, maxUint256])
    }
  const deployment = { morpho: morpho.address.toLowerCase(), vaults: [expected.address.toLowerCase()] }
  protocol = morphoBlue({ id: 'x', name: 'X', deployments: { ethereum: deployment } })
})
afterAll(() => chain.stop())

const users = (): Address[] => chain.users.slice(0, 2)

interface Step {
  kind: 'supply' | 'collateral' | 'borrow' | 'repay' | 'withdraw' | 'accrue' | 'price'
  by: number
  amount: number
}
const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('supply', 'collateral', 'borrow', 'borrow', 'repay', 'withdraw', 'accrue', 'price'),
  by: fc.integer({ min: 0, max: 1 }),
  amount: fc.integer({ min: 1, max: 10 ** 12 }),
})

async function step({ kind, by, amount }: Step): Promise<void> {
  const { write } = chain
  const [user, value] = [users()[by]!, BigInt(amount)]
  if (kind === 'accrue') return chain.wait(amount % 10_000_000)
  if (kind === 'price') return write(chain.deployer, oracle, 'setPrice', [10n ** 36n + value * 10n ** 23n])
  if (kind === 'supply') return write(user, morpho, 'supply', [params, value, 0n, user, '0x'])
  if (kind === 'collateral') return write(user, morpho, 'supplyCollateral', [params, value, user, '0x'])
  if (kind === 'borrow') return write(user, morpho, 'borrow', [params, value / 2n, 0n, user, user])
  const [supplyShares, borrowShares] = await sharesOf(user)
  if (kind === 'repay')
    return write(user, morpho, 'repay', [params, 0n, (borrowShares * (value % 100n)) / 100n, user, '0x'])
  const part = (supplyShares * (value % 100n)) / 100n
  return write(user, morpho, 'withdraw', [params, 0n, part, user, user])
}

const sharesOf = (user: Address) =>
  chain.ask<[bigint, bigint, bigint]>(user, { ...morpho, abi: POSITION }, 'position', [id, user])

test("amounts are those of Morpho's own library, after any steps of supply, borrow, accrual and withdrawal", async () => {
  let debts = 0
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 12 }), async (steps) => {
    await chain.apart(async () => {
      await step({ kind: 'supply', by: 0, amount: 10 ** 12 })
      await step({ kind: 'collateral', by: 1, amount: 10 ** 12 })
      for (const one of steps) {
        await chain.attempt(() => step(one))
        for (const user of users()) debts += await compare(user)
      }
    })
  })
  await fc.assert(property, { numRuns: runs({ short: 8, long: 100 }) })
  expect(debts).toBeGreaterThan(5)
})

/** Returns 1 if the user has a debt. */
async function compare(user: Address): Promise<number> {
  const args = [morpho.address, params, user]
  const [[, , pledged], supplied, borrowed] = await Promise.all([
    sharesOf(user),
    chain.ask<bigint>(user, expected, 'supplied', args),
    chain.ask<bigint>(user, expected, 'borrowed', args),
  ])
  const positions = await chain.positions(protocol, user)
  const [loanToken, collateralToken] = [loan!.address.toLowerCase(), collateral!.address.toLowerCase()]
  const assets = [
    ['supplied', collateralToken, pledged],
    ['supplied', loanToken, supplied],
    ['borrowed', loanToken, borrowed],
  ] as const
  expect(assetsOf(positions)).toEqual(assets.filter(([, , raw]) => raw > 0n))
  if (borrowed === 0n) {
    expect(positions[0]?.healthRate ?? null).toBeNull()
    return 0
  }
  // Morpho lets no one withdraw collateral that a debt needs, so what it lets go of says whether a position is healthy.
  const isHealthy = await chain
    .ask(user, morpho, 'withdrawCollateral', [params, 1n, user, user])
    .then(() => true)
    .catch(() => false)
  const health = Number(positions[0]!.healthRate)
  if (Math.abs(health - 1) > 1e-6) expect(health > 1).toBe(isHealthy)
  return 1
}

test('a vault counts if its factory says so', async () => {
  const factory = await chain.deploy(
    compiled({
      name: 'Factory',
      file: 'Factory.sol',
      text: `pragma solidity ^0.8.24;
        import {ERC20, ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
        contract Vault is ERC4626 { constructor(IERC20 asset) ERC20("Vault", "V") ERC4626(asset) {} }
        contract Factory {
          mapping(address => bool) public isMetaMorpho;
          address public made;
          function make(IERC20 asset) external { made = address(new Vault(asset)); isMetaMorpho[made] = true; }
        }`,
      evmVersion: 'cancun',
    }),
  )
  const [user] = users()
  await chain.write(user!, factory, 'make', [loan!.address])
  const vault = await chain.ask<Address>(user!, factory, 'made', [])
  const abi = parseAbi(['function deposit(uint256 assets, address receiver) returns (uint256)'])
  await chain.write(user!, { ...loan!, abi: ERC20 }, 'approve', [vault, maxUint256])
  await chain.write(user!, { address: vault, abi }, 'deposit', [10n ** 9n, user])
  const factories = [{ address: factory.address.toLowerCase(), knows: 'isMetaMorpho' as const }]
  const vaults = erc4626({ id: 'x', name: 'X', deployments: { ethereum: { factories } } })
  expect(assetsOf(await chain.positions(vaults, user!, [vault, loan!.address]))).toEqual([
    ['supplied', loan!.address.toLowerCase(), 10n ** 9n],
  ])
})
