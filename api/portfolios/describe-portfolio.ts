import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { exchangeIcon, exchangeOf } from '../../db/values/exchanges.ts'

/** Displayed name and icon. The icon is that of the network or exchange; empty for a manual portfolio. */
export function describePortfolio(portfolio: Portfolio): { name: string; icon: string } {
  switch (portfolio.kind) {
    case 'wallet':
      return {
        name: portfolio.name ?? `${portfolio.networkName} ${portfolio.address}`,
        icon: portfolio.networkIcon,
      }
    case 'exchange': {
      const exchange = exchangeOf(portfolio.venue)
      return {
        name: portfolio.name ?? exchange?.name ?? portfolio.venue,
        icon: exchange ? exchangeIcon(exchange) : '',
      }
    }
    case 'manual':
      return { name: portfolio.name ?? 'Manual', icon: '' }
  }
}
