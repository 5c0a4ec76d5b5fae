import type { ConvexDeployment } from '../families/convex.ts'
import type { ByNetwork } from './by-network.ts'
import { CURVE_REGISTRIES } from './pools.ts'

/** https://docs.convexfinance.com/convexfinance/faq/contract-addresses, https://github.com/convex-eth/platform (contracts.json) */
export const CONVEX: ByNetwork<ConvexDeployment> = {
  ethereum: {
    booster: '0xf403c135812408bfbe8713b5a23a04b3d48aae31',
    cvx: '0x4e3fbd56cd56c3e72c1403e103b45db9da5b9d2b',
    cvxCrv: '0x62b9c7356a2dc64a1969e19c23e4f579f9810aa7',
    cvxCrvRewards: '0x3fe65692bfcd0e6cf84cb1e7d24108e434a7587e',
    cvxCrvStaking: '0xaa0c3f5f7dfd688c6e646f66cd2a6b66acdbe434',
    cvxRewards: '0xcf50b810e57ac33b91dcf525c6ddd9881b139332',
    locker: '0x72a19342e8f1838460ebfccef09f6585e32db86e',
    registry: CURVE_REGISTRIES.ethereum!,
  },
}
