import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { venueIcon, venueOf } from '../../db/values/venues.ts'

/** What a portfolio is shown as; the icon is that of what it follows, empty where it follows nothing. */
export function describePortfolio(portfolio: Portfolio): { name: string; icon: string } {
  switch (portfolio.kind) {
    case 'wallet':
      return {
        name: portfolio.name ?? `${portfolio.networkName} ${portfolio.address}`,
        icon: portfolio.networkIcon,
      }
    case 'exchange': {
      const venue = venueOf(portfolio.venue)
      return { name: portfolio.name ?? venue?.name ?? portfolio.venue, icon: venue ? venueIcon(venue) : '' }
    }
    case 'manual':
      return { name: portfolio.name ?? 'Manual', icon: '' }
  }
}
