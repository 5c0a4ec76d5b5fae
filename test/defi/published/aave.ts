import { type Address, type Hex, keccak256, toBytes, zeroAddress } from 'viem'
import { type Deployed, ERC20, type ProtocolChain } from './protocol-chain.ts'
import { type Published, artifact } from './published.ts'

const CORE = '@aave/core-v3/artifacts/contracts'
const LOGIC = `${CORE}/protocol/libraries/logic`
const RAY = 10n ** 27n
/** Of the configuration of a reserve, in hundredths of a percent. */
const [LTV, THRESHOLD, BONUS, RESERVE_FACTOR] = [7_500n, 8_000n, 10_500n, 1_000n]

const at = (folder: string, name: string) => artifact(`${CORE}/${folder}/${name}.sol/${name}.json`)

export interface AaveMarket {
  provider: Deployed
  pool: Deployed
  data: Deployed
  oracle: Deployed
  tokens: Deployed[]
}

/** Puts addresses of libraries into the bytecode of a contract. */
function linked({ abi, bytecode }: Published, libraries: Record<string, Address>): Published {
  let code: string = bytecode
  for (const [name, address] of Object.entries(libraries)) {
    const id = keccak256(toBytes(`contracts/protocol/libraries/logic/${name}.sol:${name}`)).slice(2, 36)
    code = code.replaceAll(`__$${id}$__`, address.slice(2).toLowerCase())
  }
  return { abi, bytecode: code as Hex }
}

/** Deploys a market of Aave v3 by the bytecode of @aave/core-v3, with a reserve for each token. */
export async function deployAave(chain: ProtocolChain, tokens: readonly Deployed[]): Promise<AaveMarket> {
  const { deploy, write, ask, deployer } = chain
  const logic = async (name: string, libraries: Record<string, Address> = {}): Promise<Address> =>
    (await deploy(linked(artifact(`${LOGIC}/${name}.sol/${name}.json`), libraries))).address
  const libraries: Record<string, Address> = {}
  for (const name of [
    'SupplyLogic',
    'BorrowLogic',
    'BridgeLogic',
    'EModeLogic',
    'LiquidationLogic',
    'PoolLogic',
  ])
    libraries[name] = await logic(name, libraries)
  libraries['FlashLoanLogic'] = await logic('FlashLoanLogic', libraries)
  const configuratorLogic = { ConfiguratorLogic: await logic('ConfiguratorLogic') }

  const provider = await deploy(at('protocol/configuration', 'PoolAddressesProvider'), ['Test', deployer])
  await write(deployer, provider, 'setACLAdmin', [deployer])
  const acl = await deploy(at('protocol/configuration', 'ACLManager'), [provider.address])
  await write(deployer, provider, 'setACLManager', [acl.address])
  await write(deployer, acl, 'addPoolAdmin', [deployer])
  const poolCode = linked(at('protocol/pool', 'Pool'), libraries)
  const poolImplementation = await deploy(poolCode, [provider.address])
  await write(deployer, provider, 'setPoolImpl', [poolImplementation.address])
  const configuratorCode = linked(at('protocol/pool', 'PoolConfigurator'), configuratorLogic)
  const configuratorImplementation = await deploy(configuratorCode)
  await write(deployer, provider, 'setPoolConfiguratorImpl', [configuratorImplementation.address])
  const pool = { abi: poolCode.abi, address: await ask<Address>(deployer, provider, 'getPool', []) }
  const configurator = {
    abi: configuratorCode.abi,
    address: await ask<Address>(deployer, provider, 'getPoolConfigurator', []),
  }
  const oracle = await deploy(at('mocks/oracle', 'PriceOracle'))
  await write(deployer, provider, 'setPriceOracle', [oracle.address])
  const data = await deploy(at('misc', 'AaveProtocolDataProvider'), [provider.address])
  await write(deployer, provider, 'setPoolDataProvider', [data.address])

  const token = async (name: string) =>
    (await deploy(at('protocol/tokenization', name), [pool.address])).address
  const [aToken, stable, variable] = [
    await token('AToken'),
    await token('StableDebtToken'),
    await token('VariableDebtToken'),
  ]
  const slopes = [(RAY * 80n) / 100n, 0n, (RAY * 4n) / 100n, (RAY * 75n) / 100n]
  const stableSlopes = [
    (RAY * 5n) / 1000n,
    (RAY * 75n) / 100n,
    RAY / 100n,
    (RAY * 8n) / 100n,
    (RAY * 20n) / 100n,
  ]
  const rates = await deploy(at('protocol/pool', 'DefaultReserveInterestRateStrategy'), [
    provider.address,
    ...slopes,
    ...stableSlopes,
  ])
  for (const [i, { address }] of tokens.entries()) {
    await write(deployer, configurator, 'initReserves', [
      [
        {
          aTokenImpl: aToken,
          stableDebtTokenImpl: stable,
          variableDebtTokenImpl: variable,
          underlyingAssetDecimals: 18,
          interestRateStrategyAddress: rates.address,
          underlyingAsset: address,
          treasury: deployer,
          incentivesController: zeroAddress,
          aTokenName: `a${i}`,
          aTokenSymbol: `a${i}`,
          variableDebtTokenName: `v${i}`,
          variableDebtTokenSymbol: `v${i}`,
          stableDebtTokenName: `s${i}`,
          stableDebtTokenSymbol: `s${i}`,
          params: '0x',
        },
      ],
    ])
    await write(deployer, oracle, 'setAssetPrice', [address, BigInt(i + 1) * 10n ** 8n])
    await write(deployer, configurator, 'configureReserveAsCollateral', [address, LTV, THRESHOLD, BONUS])
    await write(deployer, configurator, 'setReserveBorrowing', [address, true])
    await write(deployer, configurator, 'setReserveFactor', [address, RESERVE_FACTOR])
  }
  return { provider, pool, data, oracle, tokens: tokens.map(({ address }) => ({ address, abi: ERC20 })) }
}
