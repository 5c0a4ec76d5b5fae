import type { Route } from '../route.ts'
import { getBalance } from './get-balance.ts'
import { getBalanceMany, getBalances } from './get-balances.ts'
import { getBlockchains } from './get-blockchains.ts'
import { getWalletChart } from './get-chart.ts'
import { getWalletCharts } from './get-charts.ts'
import { getWalletExplain } from './get-explain.ts'
import { getPlHistory } from './get-pl-history.ts'
import { getWalletPl } from './get-pl.ts'
import { getWalletStatus } from './get-status.ts'
import { getTransactions } from './get-transactions.ts'
import { patchTransactions } from './patch-transactions.ts'

export const chainRoutes: readonly Route[] = [
  getBlockchains,
  getBalance,
  getBalanceMany,
  getBalances,
  getWalletStatus,
  patchTransactions,
  getTransactions,
  getWalletChart,
  getWalletCharts,
  getWalletPl,
  getPlHistory,
  getWalletExplain,
]
