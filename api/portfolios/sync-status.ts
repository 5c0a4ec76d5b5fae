import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { hasHistory } from './holding-set.ts'

/** Whether the requested data of a portfolio is stored and in all figures. A manual portfolio needs no sync. */
export const isSynced = (portfolio: Portfolio): boolean =>
  hasHistory(portfolio) &&
  !portfolio.isRequested &&
  portfolio.isCurrent &&
  portfolio.isComputed &&
  portfolio.isAccountComputed &&
  !portfolio.lacksPositions
