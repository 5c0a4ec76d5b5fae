import type { StargateDeployment } from '../families/stargate.ts'
import type { ByNetwork } from './by-network.ts'

/** Pools and the contract that stakes their liquidity tokens, from npm's @stargatefinance/stg-evm-v2 2.0.6. */
export const STARGATE: ByNetwork<StargateDeployment> = {
  ethereum: {
    staking: '0xff551feddbedc0aee764139ccd9cb644bb04a6bd',
    pools: [
      '0xcdafb1b2db43f366e48e6f614b8dccbfeefeecd3',
      '0x77b2043768d28e9c9ab44e1abfc95944bce57931',
      '0xc026395860db2d07ee33e05fe50ed7bd583189c7',
      '0x933597a323eb81cae705c5bc29985172fd5a3973',
      '0x268ca24daeff1fac2ed883c598200ccbb79e931d',
    ],
  },
  binancesmartchain: {
    staking: '0x26727c78b0209d9e787b2f9ac8f0238b122a3098',
    pools: ['0x962bd449e630b0d928f308ce63f1a21f02576057', '0x138eb30f73bc423c6455c53df6d89cb01d9ebc63'],
  },
  'base-wallet': {
    staking: '0xdfc47dcef7e8f9ab19a1b8af3eecf000c7ea0b80',
    pools: ['0xdc181bd607330aeebef6ea62e03e5e1fb4b6f7c7', '0x27a16dc786820b16e5c9028b75b99f6f604b5d26'],
  },
  'polygon-wallet': {
    staking: '0x4694900bdba99edf07a2e46c4093f88f9106a90d',
    pools: ['0x9aa02d4fae7f58b8e8f34c66e756cc734dac7fe4', '0xd47b03ee6d86cf251ee7860fb2acf9f91b9fd4d7'],
  },
  'arbitrum-wallet': {
    staking: '0x3da4f8e456ac648c489c286b99ca37b666be7c4c',
    pools: [
      '0xa45b5130f36cdca45667738e2a258ab09f4a5f7f',
      '0xe8cdf27acd73a434d661c84887215f7598e7d0d3',
      '0xce8cca271ebc0533920c83d39f417ed6a0abb7d0',
    ],
  },
  'optimism-wallet': {
    staking: '0xfbb5a71025bef1a8166c9bcb904a120aa17d6443',
    pools: [
      '0xe8cdf27acd73a434d661c84887215f7598e7d0d3',
      '0xce8cca271ebc0533920c83d39f417ed6a0abb7d0',
      '0x19cfce47ed54a88614648dc3f19a5980097007dd',
    ],
  },
  'avalanche-wallet': {
    staking: '0x8db623d439c8c4dfa1ca94e4cd3eb8b3aaff8331',
    pools: ['0x5634c4a5fed09819e3c46d86a965dd9447d86e47', '0x12dc9256acc9895b076f6638d628382881e62cee'],
  },
  'metis-wallet': {
    staking: '0xf1fcb4cbd57b67d683972a59b6a7b1e2e8bf27e6',
    pools: [
      '0x36ed193dc7160d3858ec250e69d12b03ca087d08',
      '0xd9050e7043102a0391f81462a3916326f86331f0',
      '0x4dcbfc0249e8d5032f89d6461218a9d2efff5125',
    ],
  },
  'mantle-wallet': {
    staking: '0x02dc1042e623a8677b002981164ccc05d25d486a',
    pools: [
      '0x4c1d3fc3fc3c177c3b633427c2f769276c547463',
      '0xac290ad4e0c891fdc295ca4f0a6214cf6dc6acdc',
      '0xb715b85682b731db9d5063187c450095c91c57fc',
      '0xf7628d84a2bbd9bb9c8e686ac95bb5d55169f3f1',
    ],
  },
  'scroll-wallet': {
    staking: '0xd240a859efc77b7455ad1b1402357784a2d72a1b',
    pools: ['0xc2b638cb5042c1b3c5d5c969361fb50569840583', '0x3fc69cc4a842838bcdc9499178740226062b14e4'],
  },
  'aurora-wallet': {
    staking: '0x25bbf59ef9246dc65bfac8385d55c5e524a7b9ea',
    pools: ['0x81f6138153d473e8c5ecebd3dc8cd4903506b075'],
  },
  'core-wallet': {
    staking: '0x808d7c71ad2ba3fa531b068a2417c63106bc0949',
    pools: ['0x2f6f07cdcf3588944bf4c42ac74ff24bf56e7590', '0x45f1a95a4d3f3836523f5c83673c797f4d4d263b'],
  },
  'sonic-wallet': {
    staking: '0xbba60da06c2c5424f03f7434542280fcad453d10',
    pools: ['0xa272ffe20cffe769cdfc4b63088dcd2c82a2d8f9'],
  },
  'unichain-wallet': { staking: null, pools: ['0xe9aba835f813ca05e50a6c0ce65d0d74390f7de7'] },
  'soneium-wallet': {
    staking: '0x808d7c71ad2ba3fa531b068a2417c63106bc0949',
    pools: ['0x2f6f07cdcf3588944bf4c42ac74ff24bf56e7590', '0x45f1a95a4d3f3836523f5c83673c797f4d4d263b'],
  },
  'gnosis-wallet': {
    staking: null,
    pools: ['0xe9aba835f813ca05e50a6c0ce65d0d74390f7de7', '0xb1eead6959cb5bb9b20417d6689922523b2b86c3'],
  },
  'sei-wallet': {
    staking: '0x8c1014b5936dd88baa5f4db0423c3003615e03a0',
    pools: ['0x45d417612e177672958dc0537c45a8f8d754ac2e', '0x0db9afb4c33be43a0a0e396fd1383b4ea97ab10a'],
  },
}
