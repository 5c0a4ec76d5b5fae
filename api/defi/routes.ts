import type { Route } from '../route.ts'
import { getWalletDefi } from './get-wallet-defi.ts'

export const defiRoutes: readonly Route[] = [getWalletDefi]
