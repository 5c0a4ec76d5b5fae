import type { Route } from '../route.ts'
import { deletePortfolio } from './delete-portfolio.ts'
import { deletePortfolioTransaction } from './delete-transaction.ts'
import { getPortfolioChart } from './get-chart.ts'
import { getPortfolioCoins } from './get-coins.ts'
import { getPortfolioDefi } from './get-defi.ts'
import { getPortfolioExplain } from './get-explain.ts'
import { getPortfolioList } from './get-list.ts'
import { getPortfolioPlHistory } from './get-pl-history.ts'
import { getPortfolioReport } from './get-report.ts'
import { getSnapshotItems } from './get-snapshot-items.ts'
import { getPortfolioStatus } from './get-status.ts'
import { getPortfolioTransactions } from './get-transactions.ts'
import { getPortfolioValue } from './get-value.ts'
import { patchPortfolioSync } from './patch-sync.ts'
import { patchPortfolioTransaction } from './patch-transaction.ts'
import { postConnectRedeem } from './post-connect-redeem.ts'
import { postPortfolioExchange } from './post-exchange.ts'
import { postPortfolioTransaction } from './post-transaction.ts'
import { postPortfolioWallet } from './post-wallet.ts'

export const portfoliosRoutes: readonly Route[] = [
  getPortfolioList,
  getPortfolioValue,
  getPortfolioCoins,
  getPortfolioChart,
  getPortfolioTransactions,
  getPortfolioDefi,
  getSnapshotItems,
  getPortfolioPlHistory,
  getPortfolioExplain,
  getPortfolioReport,
  getPortfolioStatus,
  postPortfolioWallet,
  postPortfolioExchange,
  postConnectRedeem,
  postPortfolioTransaction,
  patchPortfolioTransaction,
  deletePortfolioTransaction,
  patchPortfolioSync,
  deletePortfolio,
]
