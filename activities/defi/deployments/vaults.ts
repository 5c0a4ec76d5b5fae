import type { Vaults } from '../families/erc4626.ts'
import type { ByNetwork } from './by-network.ts'

const metaMorpho = (...addresses: string[]) =>
  addresses.map((address) => ({ address, knows: 'isMetaMorpho' as const }))
const morphoV2 = (address: string) => ({ address, knows: 'isVaultV2' as const })
const euler = (address: string): Vaults => ({ factories: [{ address, knows: 'isProxy' }] })

/**
 * Vaults by ERC-4626, from the protocols' own lists, and from https://github.com/DefiLlama/DefiLlama-Adapters
 * (projects/helper/curators/configs.js, euler-v2 and spark-savings).
 */
export const VAULTS = {
  morpho: {
    ethereum: {
      factories: [
        ...metaMorpho(
          '0xa9c3d3a366466fa809d1ae982fb2c46e5fc41101',
          '0x1897a8997241c1cd4bd0698647e4eb7213535c24',
        ),
        morphoV2('0xa1d94f746defa1928926b84fb2596c06926c0405'),
      ],
    },
    'base-wallet': {
      factories: [
        ...metaMorpho(
          '0xa9c3d3a366466fa809d1ae982fb2c46e5fc41101',
          '0xff62a7c278c62ed665133147129245053bbf5918',
        ),
        morphoV2('0x4501125508079a99ebbebce205dec9593c2b5857'),
      ],
    },
    'arbitrum-wallet': {
      factories: [
        ...metaMorpho('0x878988f5f561081deea117717052164ea1ef0c82'),
        morphoV2('0x6b46fa3cc9ebf8ab230abac664e37f2966bf7971'),
      ],
    },
    'optimism-wallet': { factories: metaMorpho('0x3bb6a6a0bc85b367efe0a5bac81c5e52c892839a') },
    'polygon-wallet': { factories: metaMorpho('0xa9c87dab340631c34bb738625c70499e29dddc98') },
    'monad-wallet': {
      factories: [
        ...metaMorpho('0x33f20973275b2f574488b18929cd7dcbf1abf275'),
        morphoV2('0x8b2f922162fbb60a6a072cc784a2e4168fb0bb0c'),
      ],
    },
    'hyperevm-wallet': { factories: metaMorpho('0xec051b19d654c48c357dc974376deb6272f24e53') },
    'unichain-wallet': { factories: metaMorpho('0xe9ede3929f43a7062a007c3e8652e4aca610bdc0') },
    'worldchain-wallet': { factories: metaMorpho('0x4dbb3a642a2146d5413750cca3647086d9ba5f12') },
    'katana-wallet': { factories: metaMorpho('0x1c8de6889acee12257899bfeaa2b7e534de32e16') },
    'sei-wallet': { factories: metaMorpho('0x8dea49ec5bd5aeac8bcf96b3e187f59354118291') },
    'celo-wallet': { factories: metaMorpho('0x6870aa9f66c1e5efe8dbe8730e86e9e91f688275') },
    'megaeth-wallet': { factories: [morphoV2('0xf133fa5a78c398b31cc4a180e6ae84111d6dcf5b')] },
  },
  euler: {
    ethereum: euler('0x29a56a1b8214d9cf7c5561811750d5cbdb45cc8e'),
    binancesmartchain: euler('0x7f53e2755eb3c43824e162f7f6f087832b9c9df6'),
    'base-wallet': euler('0x7f321498a801a191a93c840750ed637149ddf8d0'),
    'arbitrum-wallet': euler('0x78df1cf5bf06a7f27f2acc580b934238c1b80d50'),
    'avalanche-wallet': euler('0xaf4b4c18b17f6a2b32f6c398a3910bdcd7f26181'),
    'hyperevm-wallet': euler('0xcf5552580fd364cdbbfcb5ae345f75674c59273a'),
    'monad-wallet': euler('0xba4dd672062de8feedb665dd4410658864483f1e'),
    'plasma-wallet': euler('0x42388213c6f56d7e1477632b58ae6bba9adeeea3'),
    'sonic-wallet': euler('0xf075cc8660b51d0b8a4474e3f47edac5fa034cfb'),
    'unichain-wallet': euler('0xbad8b5bdfb2bcbcd78cc9f1573d3aad6e865e752'),
    'bob-wallet': euler('0x046a9837a61d6b6263f54f4e27ee072ba4bdc7e4'),
    'berachain-wallet': euler('0x5c13fb43ae9bae8470f646ea647784534e9543af'),
    'linea-wallet': euler('0x84711986fd3bf0bfe4a8e6d7f4e22e67f7f27f04'),
    'mantle-wallet': euler('0x47aaf2f062aa1d55afa602f5c9597588f71e2d76'),
  },
  // fTokens
  fluid: {
    ethereum: {
      listed: [
        '0x9fb7b4477576fe5b32be4c1843afb1e55f251b33', // fUSDC
        '0x5c20b550819128074fd538edf79791733ccedd18', // fUSDT
        '0x90551c1795392094fe6d29b758eccd233cfaa260', // fWETH
        '0x2411802d8bea09be0af8fd8d08314a63e706b29c', // fwstETH
        '0x6a29a46e21c730dca1d8b23d637c101cec605c5b', // fGHO
      ],
    },
    'base-wallet': { listed: ['0xf42f5795d9ac7e9d757db633d693cd548cfd9169'] }, // fUSDC
    'arbitrum-wallet': { listed: ['0x1a996cb54bb95462040408c06122d45d6cdb6096'] }, // fUSDC
  },
  yearn: {
    ethereum: {
      listed: [
        '0xbe53a109b494e5c9f97b9cd39fe969be68bf6204', // yvUSDC-1
        '0x310b7ea7475a0b449cfd73be81522f1b88efafaa', // yvUSDT-1
        '0x028ec7330ff87667b6dfb0d94b954c820195336c', // yvDAI-1
        '0x182863131f9a4630ff9e27830d945b1413e347e8', // yvUSDS-1
        '0xc56413869c6cdf96496f2b1ef801fedbdfa7ddb0', // yvWETH-1
        '0xac37729b76db6438ce62042ae1270ee574ca7571', // yvWETH-2
        '0xbf319ddc2edc1eb6fdf9910e39b37be221c8805f', // yvcrvUSD-2
      ],
    },
  },
  sky: {
    ethereum: {
      listed: [
        '0xa3931d71877c0e7a3148cb7eb4463524fec27fbd', // sUSDS
        '0x83f20f44975d03b1b09e64809b757c47f942beea', // sDAI
      ],
    },
  },
  sparkSavings: {
    ethereum: {
      listed: [
        '0xbc65ad17c5c0a2a4d159fa5a503f4992c7b545fe', // sUSDC
        '0x28b3a8fb53b741a8fd78c0fb9a6b2393d896a43d', // spUSDC
        '0x80128dbb9f07b93dde62a6daeadb69ed14a7d354', // spPYUSD
        '0xe2e7a17dff93280dec073c995595155283e3c372', // spUSDT
        '0xfe6eb3b609a7c8352a241f7f3a21cea4e9209b8f', // spETH
      ],
    },
    'base-wallet': { listed: ['0x3128a0f7f0ea68e7b7c9b00afa7e41045828e858'] }, // sUSDC
    'arbitrum-wallet': {
      listed: [
        '0x940098b108fb7d0a7e374f6eded7760787464609', // sUSDC
        '0x45d91340b3b7b96985a72b5c678f7d9e8d664b62', // spUSDT
      ],
    },
    'optimism-wallet': { listed: ['0xcf9326e24ebffbef22ce1050007a43a3c0b6db55'] }, // sUSDC
    'avalanche-wallet': { listed: ['0x28b3a8fb53b741a8fd78c0fb9a6b2393d896a43d'] }, // spUSDC
    'unichain-wallet': { listed: ['0x14d9143becc348920b68d123687045db49a016c6'] }, // sUSDC
    'xlayer-wallet': { listed: ['0xc358c90d32375721cb3924320fdc2f8b694347ca'] }, // spUSDT
  },
  ethena: { ethereum: { listed: ['0x9d39a5de30e57443bff2a8307a4256c8797a3497'] } }, // sUSDe
  maple: {
    ethereum: {
      listed: [
        '0x80ac24aa929eaf5013f6436cda2a7ba190f5cc0b', // syrupUSDC
        '0x356b8d89c1e1239cbbb9de4815c39a1474d5ba7d', // syrupUSDT
      ],
    },
  },
  frax: {
    ethereum: {
      listed: [
        '0xcf62f905562626cfcdd2261162a51fd02fc9c5b6', // sfrxUSD
        '0xa663b02cf0a4b149d2ad41910cb81e23e1c41c32', // sFRAX
        '0xac3e018457b222d93114458476f3e3416abbe38f', // sfrxETH
      ],
    },
  },
  curveSavings: { ethereum: { listed: ['0x0655977feb2f289a4ab78af67bab0d17aab84367'] } }, // scrvUSD
  inverse: { ethereum: { listed: ['0xb45ad160634c528cc3d2926d9807104fa3157305'] } }, // sDOLA
  falcon: { ethereum: { listed: ['0xc8cf6d7991f15525488b2a83df53468d682ba4b0'] } }, // sUSDf
  origin: {
    ethereum: {
      listed: [
        '0xdcee70654261af21c44c093c300ed3bb97b78192', // wOETH
        '0xd2af830e8cbdfed6cc11bab697bb25496ed6fa62', // wOUSD
      ],
    },
    'base-wallet': { listed: ['0x7fcd174e80f264448ebee8c88a7c4476aaf58ea6'] }, // wsuperOETHb
    'sonic-wallet': { listed: ['0x9f0df7799f6fdad409300080cff680f5a23df4b1'] }, // wOS
  },
} satisfies Record<string, ByNetwork<Vaults>>
