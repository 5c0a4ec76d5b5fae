import type { UniswapV4 } from '../families/uniswap-v4.ts'
import type { ByNetwork } from './by-network.ts'

/** PositionManager and StateView of Uniswap v4, from npm's @uniswap/sdk-core 7.19.4 (CHAIN_TO_ADDRESSES_MAP). */
export const UNISWAP_V4: ByNetwork<UniswapV4> = {
  ethereum: {
    manager: '0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e',
    view: '0x7ffe42c4a5deea5b0fec41c94c136cf115597227',
  },
  binancesmartchain: {
    manager: '0x7a4a5c919ae2541aed11041a1aeee68f1287f95b',
    view: '0xd13dd3d6e93f276fafc9db9e6bb47c1180aee0c4',
  },
  'base-wallet': {
    manager: '0x7c5f5a4bbd8fd63184577525326123b519429bdc',
    view: '0xa3c0c9b65bad0b08107aa264b0f3db444b867a71',
  },
  'polygon-wallet': {
    manager: '0x1ec2ebf4f37e7363fdfe3551602425af0b3ceef9',
    view: '0x5ea1bd7974c8a611cbab0bdcafcb1d9cc9b3ba5a',
  },
  'arbitrum-wallet': {
    manager: '0xd88f38f930b7952f2db2432cb002e7abbf3dd869',
    view: '0x76fd297e2d437cd7f76d50f01afe6160f86e9990',
  },
  'optimism-wallet': {
    manager: '0x3c3ea4b57a46241e54610e5f022e5c45859a1017',
    view: '0xc18a3169788f4f75a170290584eca6395c75ecdb',
  },
  'avalanche-wallet': {
    manager: '0xb74b1f14d2754acfcbbe1a221023a5cf50ab8acd',
    view: '0xc3c9e198c735a4b97e3e683f391ccbdd60b69286',
  },
  'monad-wallet': {
    manager: '0x5b7ec4a94ff9bedb700fb82ab09d5846972f4016',
    view: '0x77395f3b2e73ae90843717371294fa97cc419d64',
  },
  'unichain-wallet': {
    manager: '0x4529a01c7a0410167c5740c487a8de60232617bf',
    view: '0x86e8631a016f9068c3f085faf484ee3f5fdee8f2',
  },
  'worldchain-wallet': {
    manager: '0xc585e0f504613b5fbf874f21af14c65260fb41fa',
    view: '0x51d394718bc09297262e368c1a481217fdeb71eb',
  },
  'ink-wallet': {
    manager: '0x1b35d13a2e2528f192637f14b05f0dc0e7deb566',
    view: '0x76fd297e2d437cd7f76d50f01afe6160f86e9990',
  },
  'soneium-wallet': {
    manager: '0x1b35d13a2e2528f192637f14b05f0dc0e7deb566',
    view: '0x76fd297e2d437cd7f76d50f01afe6160f86e9990',
  },
  'zora-wallet': {
    manager: '0xf66c7b99e2040f0d9b326b3b7c152e9663543d63',
    view: '0x385785af07d63b50d0a0ea57c4ff89d06adf7328',
  },
  'blast-wallet': {
    manager: '0x4ad2f4cca2682cbb5b950d660dd458a1d3f1baad',
    view: '0x12a88ae16f46dce4e8b15368008ab3380885df30',
  },
  'celo-wallet': {
    manager: '0xf7965f3981e4d5bc383bfbcb61501763e9068ca9',
    view: '0xbc21f8720babf4b20d195ee5c6e99c52b76f2bfb',
  },
  'linea-wallet': {
    manager: '0xddcad5775b2816a87495f207731b3571d7ee3c76',
    view: '0xe861de206e460a8b936b05ad3816520b58ccdf9b',
  },
  'megaeth-wallet': {
    manager: '0x9ae0921e981aaa7308f176f8d4f9129b9247c89d',
    view: '0x726f84e1dfb8d375a365e0808282f40d52d3e4e8',
  },
  'xlayer-wallet': {
    manager: '0xcf1eafc6928dc385a342e7c6491d371d2871458b',
    view: '0x76fd297e2d437cd7f76d50f01afe6160f86e9990',
  },
}
