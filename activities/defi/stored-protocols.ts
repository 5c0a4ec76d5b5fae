import type { StoredProtocol } from '../../db/defi/print-protocols.ts'
import { PROTOCOLS } from './protocols.ts'
import { SOLANA_PROTOCOLS } from './solana/protocols.ts'

/** What pages show of a protocol. */
interface Site {
  /** address of its app */
  url: string
  /** path of its icon at icons.llamao.fi: `protocols/<slug of DefiLlama>` */
  logo: string
  /** page that explains the health rate; absent: there is none */
  healthUrl?: string
}

const SITES: Readonly<Record<string, Site>> = {
  'aave-v3': {
    url: 'https://app.aave.com',
    logo: 'protocols/aave-v3',
    healthUrl: 'https://aave.com/help/borrowing/liquidations',
  },
  'aave-staking': { url: 'https://app.aave.com/staking', logo: 'protocols/aave' },
  'compound-v3': {
    url: 'https://app.compound.finance',
    logo: 'protocols/compound-v3',
    healthUrl: 'https://docs.compound.finance/liquidation',
  },
  'uniswap-v3': { url: 'https://app.uniswap.org/positions', logo: 'protocols/uniswap-v3' },
  lido: { url: 'https://stake.lido.fi', logo: 'protocols/lido' },
  'morpho-vaults': { url: 'https://app.morpho.org', logo: 'protocols/morpho-blue' },
  'euler-v2': { url: 'https://app.euler.finance', logo: 'protocols/euler' },
  'fluid-lending': { url: 'https://fluid.io', logo: 'protocols/fluid' },
  'yearn-v3': { url: 'https://yearn.fi', logo: 'protocols/yearn-finance' },
  sky: { url: 'https://sky.money', logo: 'protocols/sky' },
  'spark-savings': { url: 'https://app.spark.fi', logo: 'protocols/spark' },
  ethena: { url: 'https://app.ethena.fi', logo: 'protocols/ethena' },
  maple: { url: 'https://app.maple.finance', logo: 'protocols/maple' },
  frax: { url: 'https://frax.com', logo: 'protocols/frax' },
  'curve-savings': { url: 'https://crvusd.curve.finance', logo: 'protocols/curve-dex' },
  inverse: { url: 'https://www.inverse.finance', logo: 'protocols/inverse-finance' },
  falcon: { url: 'https://app.falcon.finance', logo: 'protocols/falcon-finance' },
  'uniswap-v2': { url: 'https://app.uniswap.org/positions', logo: 'protocols/uniswap-v2' },
  sushiswap: { url: 'https://www.sushi.com', logo: 'protocols/sushiswap' },
  pancakeswap: { url: 'https://pancakeswap.finance/liquidity/positions', logo: 'protocols/pancakeswap-amm' },
  quickswap: { url: 'https://dapp.quickswap.exchange', logo: 'protocols/quickswap-dex' },
  'trader-joe': { url: 'https://lfj.gg', logo: 'protocols/joe-dex' },
  'pancakeswap-v3': {
    url: 'https://pancakeswap.finance/liquidity/positions',
    logo: 'protocols/pancakeswap-amm-v3',
  },
  'sushiswap-v3': { url: 'https://www.sushi.com', logo: 'protocols/sushiswap-v3' },
  spark: {
    url: 'https://app.spark.fi',
    logo: 'protocols/spark',
    healthUrl: 'https://docs.spark.fi/dev/sparklend/features/liquidations',
  },
  tydro: {
    url: 'https://app.tydro.com',
    logo: 'protocols/tydro',
    healthUrl: 'https://aave.com/help/borrowing/liquidations',
  },
  'morpho-blue': {
    url: 'https://app.morpho.org',
    logo: 'protocols/morpho-blue',
    healthUrl: 'https://docs.morpho.org/learn/concepts/liquidation/',
  },
  'compound-v2': {
    url: 'https://app.compound.finance',
    logo: 'protocols/compound-v2',
    healthUrl: 'https://docs.compound.finance/v2/comptroller/',
  },
  venus: { url: 'https://app.venus.io', logo: 'protocols/venus' },
  moonwell: { url: 'https://moonwell.fi', logo: 'protocols/moonwell' },
  benqi: { url: 'https://app.benqi.fi', logo: 'protocols/benqi-lending' },
  'rocket-pool': { url: 'https://stake.rocketpool.net', logo: 'protocols/rocket-pool' },
  'ether-fi': { url: 'https://app.ether.fi', logo: 'protocols/ether.fi' },
  'coinbase-staked-eth': {
    url: 'https://www.coinbase.com/cbeth',
    logo: 'protocols/coinbase-wrapped-staked-eth',
  },
  swell: { url: 'https://app.swellnetwork.io', logo: 'protocols/swell' },
  'benqi-staking': { url: 'https://app.benqi.fi/stake', logo: 'protocols/benqi-staked-avax' },
  eigenlayer: { url: 'https://app.eigenlayer.xyz', logo: 'protocols/eigenlayer' },
  aerodrome: { url: 'https://aerodrome.finance', logo: 'protocols/aerodrome-v1' },
  velodrome: { url: 'https://velodrome.finance', logo: 'protocols/velodrome-v2' },
  'aerodrome-slipstream': { url: 'https://aerodrome.finance', logo: 'protocols/aerodrome-slipstream' },
  'velodrome-slipstream': { url: 'https://velodrome.finance', logo: 'protocols/velodrome-v3' },
  curve: { url: 'https://www.curve.finance', logo: 'protocols/curve-dex' },
  'curve-locks': { url: 'https://dao.curve.finance', logo: 'protocols/curve-dex' },
  'balancer-v2': { url: 'https://balancer.fi', logo: 'protocols/balancer-v2' },
  'balancer-v3': { url: 'https://balancer.fi', logo: 'protocols/balancer-v3' },
  'balancer-locks': { url: 'https://balancer.fi/vebal', logo: 'protocols/balancer-v2' },
  'uniswap-v4': { url: 'https://app.uniswap.org', logo: 'protocols/uniswap-v4' },
  origin: { url: 'https://app.originprotocol.com', logo: 'protocols/origin-defi' },
  pendle: { url: 'https://app.pendle.finance', logo: 'protocols/pendle' },
  stargate: { url: 'https://stargate.finance', logo: 'protocols/stargate' },
  convex: { url: 'https://www.convexfinance.com', logo: 'protocols/convex-finance' },
  'solana-staking': { url: 'https://solana.com/staking', logo: 'chains/rsz_solana.jpg' },
  jito: { url: 'https://www.jito.network/staking', logo: 'protocols/jito-liquid-staking' },
  blazestake: { url: 'https://stake.solblaze.org', logo: 'protocols/blazestake' },
  'jupiter-staked-sol': { url: 'https://jup.ag', logo: 'protocols/jupiter-staked-sol' },
  'binance-staked-sol': {
    url: 'https://www.binance.com/en/solana-staking',
    logo: 'protocols/binance-staked-sol',
  },
  'phantom-staked-sol': { url: 'https://phantom.com', logo: 'protocols/phantom-staked-sol' },
  'the-vault': { url: 'https://thevault.finance', logo: 'protocols/the-vault' },
  sanctum: { url: 'https://app.sanctum.so', logo: 'protocols/sanctum-validator-lsts' },
  'spl-stake-pools': { url: 'https://solanacompass.com/stake-pools', logo: 'chains/rsz_solana.jpg' },
  marinade: { url: 'https://marinade.finance', logo: 'protocols/marinade-liquid-staking' },
  'marinade-tickets': { url: 'https://marinade.finance', logo: 'protocols/marinade-liquid-staking' },
  'gmx-staking': { url: 'https://app.gmx.io/#/earn', logo: 'protocols/gmx' },
  orca: { url: 'https://www.orca.so/portfolio', logo: 'protocols/orca' },
  raydium: { url: 'https://raydium.io/portfolio/', logo: 'protocols/raydium' },
  'kamino-lend': { url: 'https://kamino.com/portfolio', logo: 'protocols/kamino-lend' },
  maker: {
    url: 'https://sky.money',
    logo: 'protocols/makerdao',
    healthUrl: 'https://docs.makerdao.com/smart-contract-modules/core-module/vat-detailed-documentation',
  },
}

/** All protocols as the database has them. Positions of Solana's begin at 1 again. */
export const storedProtocols = (): StoredProtocol[] =>
  [PROTOCOLS, SOLANA_PROTOCOLS].flatMap((list) =>
    list.map(({ id, name, networks }, i) => {
      const site = SITES[id]
      if (site === undefined) throw new Error(`activities/defi/stored-protocols.ts has no site of '${id}'`)
      const { url, logo, healthUrl = null } = site
      return {
        id,
        name,
        logo: `https://icons.llamao.fi/icons/${logo}`,
        url,
        healthUrl,
        position: i + 1,
        networks,
      }
    }),
  )
