import type { Route } from '../route.ts'
import { getExchangeChart } from './get-chart.ts'
import { getExchangePlHistory } from './get-pl-history.ts'
import { getExchangePl } from './get-pl.ts'
import { getExchangeStatus } from './get-status.ts'
import { getExchangeSupport } from './get-support.ts'
import { getExchangeTransactions } from './get-transactions.ts'
import { patchExchangeSync } from './patch-sync.ts'
import { postExchangeBalance } from './post-balance.ts'

export const exchangesRoutes: readonly Route[] = [
  getExchangeSupport,
  postExchangeBalance,
  getExchangeStatus,
  patchExchangeSync,
  getExchangeTransactions,
  getExchangeChart,
  getExchangePl,
  getExchangePlHistory,
]
